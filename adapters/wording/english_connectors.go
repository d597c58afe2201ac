package wording

import "milaan/domain"

// englishConnectorErrors returns the messages of what is wrong with a shop or a report
// source: what is wrong, and what to do about it.
func englishConnectorErrors() map[connectorKind]text {
	const again = "the next pass tries again"
	return map[connectorKind]text{
		{domain.ConnRefused, ""}: {"{who} refuses {setting}: enter it again, or make a new one there",
			"{who} refuses the credentials: check each of them, and enter them again"},
		{domain.ConnRefused, "ithink"}: {"{who} refuses {setting}: enter it again, or make a new one there",
			"{who} refuses the access token or the secret key: check both, and enter them again"},
		{domain.ConnRefused, "sftp"}: {"{who} refuses {setting}: check the user too, and enter them again",
			"{who} refuses the credentials: check each of them, and enter them again"},
		{domain.ConnRefused, "imap"}: {"{who} refuses {setting}: check the user and the mail server too, and enter them again, or make a new password there",
			"{who} refuses the credentials: check each of them, and enter them again"},
		{domain.ConnScope, ""}: {"{who} has not granted the permission {value}: grant it there, and test the connection again",
			"{who} has not granted what is needed to read from it: grant read access there, and test the connection again"},
		{domain.ConnScope, "shopify"}: {"{who} has not granted the app the scope {value}: add it to the scopes of a new version of the app in the Dev Dashboard, release the version, accept it in the shop, and test the connection again",
			"{who} has not granted the app the scope read_orders: add it to the scopes of a new version of the app in the Dev Dashboard, release the version, accept it in the shop, and test the connection again"},
		{domain.ConnScope, "woocommerce"}: {"{who} lets this key read no orders: make a key with the permission Read whose user may see the shop's orders, and enter it"},
		{domain.ConnSixtyDays, ""}: {"{who} does not show orders that are as old as the first of the window: set the window to {days limit|# day|# days} or less[, or have the app granted the scope {value}]",
			"{who} does not show orders that are as old as the first of the window: set a shorter window[, or have the app granted the scope {value}]"},
		{domain.ConnHostKey, ""}: {"{who} has another host key than the one that was entered; its fingerprint is {value}: ask whoever runs the server whether its key was changed, and enter this fingerprint only if it was",
			"{who} has another host key than the one that was entered: ask whoever runs the server whether its key was changed"},
		{domain.ConnNoHostKey, ""}: {"no host key was entered for {who}; the fingerprint that it shows is {value}: compare it with the one that whoever runs the server names, and enter it",
			"no host key was entered for {who}: enter the fingerprint that whoever runs the server names"},
		{domain.ConnCertificate, ""}: {"the certificate of {who} is not valid for its name: check[ {setting}, and] whether its address is spelled as in the certificate, or have the certificate renewed"},
		{domain.ConnForbidden, ""}: {"{who} has an address that is not public: check {setting}, and give a host that the internet can reach",
			"{who} has an address that is not public: give a host that the internet can reach"},
		{domain.ConnUnreachable, ""}: {"{who} cannot be reached, or the connection broke: check {setting}, and whether the server is up; " + again,
			"{who} cannot be reached, or the connection broke: check whether the server is up; " + again},
		{domain.ConnSlow, ""}: {"{who} gave no answer within {wait|# second|# seconds}: check whether the server is up; " + again,
			"{who} did not answer in time: check whether the server is up; " + again},
		{domain.ConnThrottled, ""}: {"{who} still asked to wait after {wait|# second|# seconds}, because it gets too many requests: see whether other programs use up what it allows; " + again,
			"{who} asks to wait longer than a pass can, because it gets too many requests: see whether other programs use up what it allows; " + again},
		{domain.ConnAnswer, ""}: {"{who} gave an answer that Milaan cannot read, with the HTTP status {status}: check {setting}; if that is right, " + again,
			"{who} gave an answer that Milaan cannot read, with the HTTP status {status}: check its settings; if those are right, " + again,
			"{who} gave an answer that Milaan cannot read: check its settings; if those are right, " + again},
		{domain.ConnPages, ""}: {"{who} left out a part of its list, or the list changed while it was read, so nothing was compared: " + again},
		{domain.ConnCurrency, ""}: {"{who} has an order in {value}, and Milaan counts in rupees alone: connect a shop that sells in rupees (INR)",
			"{who} has an order that is not in rupees, and Milaan counts in rupees alone: connect a shop that sells in rupees (INR)"},
		{domain.ConnManyOrders, ""}: {"there are more than {limit} orders in the window, the most that one pass compares: set the window to {days|# day|# days} or less",
			"there are more than {limit} orders even in the shortest window, the most that one pass compares: export the orders of fewer days, and compare them by hand"},
		{domain.ConnManyLines, ""}: {"the reports have more than {limit} lines together, the most that one pass compares: set the window to {days|# day|# days} or less",
			"{if source}{who} has reports with more than {limit} lines together, the most that one pass compares: set a shorter window, or a pattern that chooses fewer files",
			"the reports have more than {limit} lines together, the most that one pass compares: set a shorter window, or patterns that choose fewer files"},
		{domain.ConnManyFiles, ""}: {"{if source}{who} has more than {limit} files, old ones included, the most that Milaan looks through: have old files moved elsewhere, or choose {setting} so that it has fewer",
			"{if source}{who} has more than {limit} files since the start of the window, the most that one pass reads: set a shorter window, or a pattern that chooses fewer files",
			"the sources have more than {limit} files since the start of the window, the most that one pass reads: set a shorter window, or patterns that choose fewer files"},
		{domain.ConnManyBytes, ""}: {"{if source}{who} has more than {megabytes} MB to read[ with the file {file}], the most that one pass reads: set a shorter window, or a pattern that chooses fewer files",
			"the orders or the reports have more than {megabytes} MB together, the most that one pass reads: set a shorter window, or patterns that choose fewer files"},
		{domain.ConnNoFolder, ""}: {"{who} does not have what {setting} names: check its spelling, letter case included, and that this user may see it",
			"{who} does not have the folder that was entered: check its spelling, letter case included, and that this user may see it"},
		{domain.ConnNoFile, ""}: {"{who} can be read, but has no file since the start of the window that matches: check where the files lie, the pattern and the other settings that choose files, or wait for the first report"},
		{domain.ConnGrowing, ""}: {"{who} has a file that is still growing, {file}, so nothing was compared: " + again,
			"{who} has a file that is still growing, so nothing was compared: " + again},
		{domain.ConnGone, ""}: {"{who} listed the file {file}, but no longer had it when it was to be read: " + again,
			"{who} listed a file, but no longer had it when it was to be read: " + again},
		{domain.ConnReport, ""}: {"{who} has a report that cannot be read, {file}[, line {line}][, column {column}]: download it anew or correct it, and put it in the place of this one; drop it on the page Reconcile to see what is wrong with it",
			"{who} has a report that cannot be read[, line {line}][, column {column}]: download it anew or correct it, and put it in the place of this one"},
		{domain.ConnHeader, ""}: {"{who} has a report whose header Milaan does not know, {file}: choose the courier of this source and the columns of its reports, or a pattern that leaves the file out",
			"{who} has a report whose header Milaan does not know: choose the courier of this source and the columns of its reports, or a pattern that leaves the file out"},
		{domain.ConnArchive, ""}: {"{who} has an archive that cannot be unpacked, {file}: it may be damaged, protected by a password, or hold more than one report; put the report itself in its place",
			"{who} has an archive that cannot be unpacked: it may be damaged, protected by a password, or hold more than one report; put the report itself in its place"},
		{domain.ConnOrders, ""}:      {"{who} has orders that cannot be compared[, line {line}][, column {column}]: check that the window has orders with dates and totals"},
		{domain.ConnNotAllowed, ""}:  {"{who} cannot be used, because the operator of this service does not allow such connections: choose another kind"},
		{domain.ConnInterrupted, ""}: {"the pass did not come to its end, because the service was stopped or the pass took too long: " + again},
		{domain.ConnFault, ""}:       {"unexpected error in the service, so nothing was compared: " + again + "; if it stays, ask for help"},
	}
}

// englishConnectors returns the words for the connectors and their settings in English.
func englishConnectors() map[domain.Connector]connectorWords {
	return map[domain.Connector]connectorWords{
		"shopify": {kind: "Shopify", who: "Shopify", settings: map[string]settingWords{
			"shop":          {"Shop", "The address that ends in .myshopify.com: in Shopify, Settings, Domains"},
			"client_id":     {"Client ID", "In Shopify's Dev Dashboard, your app, Settings. Make the app there first, with the scope read_orders (and read_all_orders for a window of 60 days), and install it in the shop"},
			"client_secret": {"Client secret", "In Shopify's Dev Dashboard, your app, Settings, below the client ID"},
			"access_token":  {"Access token", "Only for an app that was made in the shop's admin before 2026: the token that begins with shpat_. Then leave the client ID and its secret blank"},
			"base_url":      {"Base URL", "For development: a server on this machine that stands in for Shopify"},
		}},

		"woocommerce": {kind: "WooCommerce", who: "WooCommerce", settings: map[string]settingWords{
			"url":             {"Address of the shop", "Where WordPress is, beginning with https://: in WordPress, Settings, General, Site Address"},
			"consumer_key":    {"Consumer key", "In WordPress, WooCommerce, Settings, Advanced, REST API, Add key, with the permission Read. It begins with ck_"},
			"consumer_secret": {"Consumer secret", "Shown once, beside the consumer key. It begins with cs_"},
		}},

		"sftp": {kind: "SFTP server", who: "the SFTP server", settings: map[string]settingWords{
			"host":        {"Host", "The name of the server, such as sftp.example.com, without sftp://"},
			"port":        {"Port", "22, unless whoever runs the server says otherwise"},
			"user":        {"User", "Best one of its own, which may only read the folder with reports"},
			"password":    {"Password", "Blank, if the server lets this user in with a private key"},
			"private_key": {"Private key", "The whole file that ssh-keygen made, such as id_ed25519, from its line BEGIN to its line END. The server needs the file beside it that ends in .pub"},
			"passphrase":  {"Passphrase", "Of the private key, if it has one"},
			"host_key":    {"Host key", "The fingerprint by which the server is known, such as SHA256:nThbg6kX…. Leave it blank and test: the answer has the one that the server shows. Compare it with what ssh-keygen -l prints on the server"},
			"folder":      {"Folder", "Where the reports lie, such as reports/cod. Blank: the folder in which this user begins. Folders below it are not read"},
		}},

		"imap": {kind: "Mailbox (IMAP)", who: "the mailbox", settings: map[string]settingWords{
			"host":     {"Mail server", "The server for IMAP, such as imap.gmail.com (Gmail) or imap.zoho.in (Zoho). Outlook and Microsoft 365 let no program in by password: have the reports forwarded to another mailbox"},
			"port":     {"Port", "993 for TLS; 143 for STARTTLS. Milaan signs in to no server without encryption"},
			"user":     {"User", "Mostly the whole e-mail address"},
			"password": {"Password", "Gmail, Zoho and Yahoo want an app password: in the account, Security, 2-step verification, App passwords. Milaan opens the mailbox for reading alone"},
			"mailbox":  {"Folder", "The folder or label of the mails with reports, such as INBOX or Couriers/COD"},
			"from":     {"Sender contains", "A part of the sender's name or address, letter case aside. Blank: any sender"},
			"subject":  {"Subject contains", "A part of the subject, letter case aside. Blank: any subject"},
		}},

		"ithink": {kind: "iThink Logistics", who: "iThink Logistics", settings: map[string]settingWords{
			"access_token": {"Access token", "iThink's support gives it for the API of your account"},
			"secret_key":   {"Secret key", "iThink's support gives it with the access token"},
			"base_url":     {"Base URL", "For development: a server on this machine that stands in for iThink Logistics"},
		}},

		"s3": {kind: "Bucket (S3)", who: "the bucket", settings: map[string]settingWords{
			"endpoint":   {"Endpoint", "The address of the service, such as https://s3.ap-south-1.amazonaws.com (Amazon) or https://ACCOUNT.r2.cloudflarestorage.com (Cloudflare R2), without the bucket"},
			"region":     {"Region", "The region of the bucket, such as ap-south-1; auto for Cloudflare R2"},
			"bucket":     {"Bucket", "Its name, without s3://"},
			"prefix":     {"Prefix", "What the names of the reports begin with, such as delhivery/. Blank: the whole bucket, at all depths"},
			"access_key": {"Access key", "The ID of an access key whose user may list the bucket (s3:ListBucket) and read its objects (s3:GetObject), and nothing else"},
			"secret_key": {"Secret key", "Shown once, when the access key is made"},
		}},

		"folder": {kind: "Folder on the server", who: "the folder", settings: map[string]settingWords{
			"folder": {"Folder", "A folder below the one that the operator of this service keeps for your account, such as reports; a single dot for that folder itself"},
		}},

		"upload": {kind: "Files uploaded here", who: "the list of uploaded files", settings: map[string]settingWords{}},
	}
}
