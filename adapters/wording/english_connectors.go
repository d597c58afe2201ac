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
		{domain.ConnOrders, ""}:     {"{who} has orders that cannot be compared[, line {line}][, column {column}]: check that the window has orders with dates and totals"},
		{domain.ConnNotAllowed, ""}: {"{who} cannot be used, because the operator of this service does not allow such connections: choose another kind"},
		{domain.ConnFormer, ""}: {"{who} is not read any more, because {setting} is from an earlier version, in which anybody could pose as your courier: edit the connection, enter the sender's whole address or @ and its domain, test it, and confirm the id of the mail server",
			"{who} is not read any more, because its settings are from an earlier version, in which anybody could pose as your courier: edit the connection, enter them anew, and test it"},
		{domain.ConnLeftOut, ""}: {"{who} has mails with reports, and none of them is taken, because nothing proves their sender: see each mail's reason, and correct the sender or the id of the mail server"},
		{domain.ConnNoAuthServID, ""}: {"no id was entered for {who}; at the top of most of its latest mails is the id {value}: use it only if it belongs to your mail service, as mx.google.com belongs to Gmail",
			"no id was entered for {who}, and most of its latest mails have none at the top: if your mail service checks senders, have some mails sent there and test again; if it does not, nothing proves a sender there"},
		{domain.ConnShownName, ""}: {"its shown name has the sender that you entered, but it is from another address"},
		{domain.ConnFrom, ""}:      {"its header From does not have exactly one address that can be read without a doubt"},
		{domain.ConnNoResult, ""}:  {"the mail server has not written whether its sender is proven"},
		{domain.ConnOtherID, ""}: {"whether its sender is proven is written by {value}, and not by the id that you have confirmed",
			"whether its sender is proven is not written by the id that you have confirmed"},
		{domain.ConnUnproven, ""}:      {"neither DMARC nor a DKIM signature of the sender's domain has passed the mail server's check, so it may be forged"},
		{domain.ConnContradiction, ""}: {"the results of the mail server's check contradict each other, so it may be forged"},
		{domain.ConnInterrupted, ""}:   {"the pass did not come to its end, because the service was stopped or the pass took too long: " + again},
		{domain.ConnFault, ""}:         {"unexpected error in the service, so nothing was compared: " + again + "; if it stays, ask for help"},
	}
}

// englishConnectors returns the words for the connectors and their settings in English.
func englishConnectors() map[domain.Connector]connectorWords {
	return map[domain.Connector]connectorWords{
		"shopify": {kind: "Shopify", who: "Shopify", settings: map[string]settingWords{
			"shop":          {label: "Shop", hint: "The address that ends in .myshopify.com: in Shopify, Settings, Domains"},
			"client_id":     {label: "Client ID", hint: "In Shopify's Dev Dashboard, your app, Settings. Make the app there first, with the scope read_orders (and read_all_orders for a window of 60 days), and install it in the shop"},
			"client_secret": {label: "Client secret", hint: "In Shopify's Dev Dashboard, your app, Settings, below the client ID"},
			"access_token":  {label: "Access token", hint: "Only for an app that was made in the shop's admin before 2026: the token that begins with shpat_. Then leave the client ID and its secret blank"},
			"base_url":      {label: "Base URL", hint: "For development: a server on this machine that stands in for Shopify"},
		}},

		"woocommerce": {kind: "WooCommerce", who: "WooCommerce", settings: map[string]settingWords{
			"url":             {label: "Address of the shop", hint: "Where WordPress is, beginning with https://: in WordPress, Settings, General, Site Address"},
			"consumer_key":    {label: "Consumer key", hint: "In WordPress, WooCommerce, Settings, Advanced, REST API, Add key, with the permission Read. It begins with ck_"},
			"consumer_secret": {label: "Consumer secret", hint: "Shown once, beside the consumer key. It begins with cs_"},
		}},

		"sftp": {kind: "SFTP server", who: "the SFTP server", settings: map[string]settingWords{
			"host":        {label: "Host", hint: "The name of the server, such as sftp.example.com, without sftp://"},
			"port":        {label: "Port", hint: "22, unless whoever runs the server says otherwise"},
			"user":        {label: "User", hint: "Best one of its own, which may only read the folder with reports"},
			"password":    {label: "Password", hint: "Blank, if the server lets this user in with a private key"},
			"private_key": {label: "Private key", hint: "The whole file that ssh-keygen made, such as id_ed25519, from its line BEGIN to its line END. The server needs the file beside it that ends in .pub"},
			"passphrase":  {label: "Passphrase", hint: "Of the private key, if it has one"},
			"host_key":    {label: "Host key", hint: "The fingerprint by which the server is known, such as SHA256:nThbg6kX…. Leave it blank and test: the answer has the one that the server shows. Compare it with what ssh-keygen -l prints on the server"},
			"folder":      {label: "Folder", hint: "Where the reports lie, such as reports/cod. Blank: the folder in which this user begins. Folders below it are not read"},
		}},

		"imap": {kind: "Mailbox (IMAP)", who: "the mailbox", settings: map[string]settingWords{
			"host":     {label: "Mail server", hint: "The server for IMAP, such as imap.gmail.com (Gmail) or imap.zoho.in (Zoho). Outlook and Microsoft 365 let no program in by password: have the reports forwarded to another mailbox"},
			"port":     {label: "Port", hint: "993 for TLS; 143 for STARTTLS. Milaan signs in to no server without encryption"},
			"user":     {label: "User", hint: "Mostly the whole e-mail address"},
			"password": {label: "Password", hint: "Gmail, Zoho and Yahoo want an app password: in the account, Security, 2-step verification, App passwords. Milaan opens the mailbox for reading alone"},
			"mailbox":  {label: "Folder", hint: "The folder or label of the mails with reports, such as INBOX or Couriers/COD"},
			"from":     {label: "Sender", hint: "The whole address of whoever sends the reports, such as remittance@courier.example; or @courier.example for everybody of that domain, but not of the domains below it. Several with commas between them. Blank only without a proof of the sender"},
			"sender_check": {label: "Proof of the sender", hint: "Anybody can write your courier's address into a mail. Required: a report is taken only if your mail server has found its sender to be true (DMARC, or DKIM of the same domain). Off: anybody who knows this address can send in reports, and make findings vanish", options: map[string]string{
				"required": "Required: take proven senders alone", "off": "Off: take mails without a proof, forged ones too",
			}},
			"authserv_id": {label: "Id of the mail server", hint: "The id under which your mail service writes its check of the sender into each mail (Authentication-Results): mx.google.com for Gmail. Leave it blank and test: the answer has the one that your latest mails bear. Use it only if it belongs to your mail service"},
			"subject":     {label: "Subject contains", hint: "A part of the subject, letter case aside. Blank: any subject"},
		}},

		"ithink": {kind: "iThink Logistics", who: "iThink Logistics", settings: map[string]settingWords{
			"access_token": {label: "Access token", hint: "iThink's support gives it for the API of your account"},
			"secret_key":   {label: "Secret key", hint: "iThink's support gives it with the access token"},
			"base_url":     {label: "Base URL", hint: "For development: a server on this machine that stands in for iThink Logistics"},
		}},

		"s3": {kind: "Bucket (S3)", who: "the bucket", settings: map[string]settingWords{
			"endpoint":   {label: "Endpoint", hint: "The address of the service, such as https://s3.ap-south-1.amazonaws.com (Amazon) or https://ACCOUNT.r2.cloudflarestorage.com (Cloudflare R2), without the bucket"},
			"region":     {label: "Region", hint: "The region of the bucket, such as ap-south-1; auto for Cloudflare R2"},
			"bucket":     {label: "Bucket", hint: "Its name, without s3://"},
			"prefix":     {label: "Prefix", hint: "What the names of the reports begin with, such as delhivery/. Blank: the whole bucket, at all depths"},
			"access_key": {label: "Access key", hint: "The ID of an access key whose user may list the bucket (s3:ListBucket) and read its objects (s3:GetObject), and nothing else"},
			"secret_key": {label: "Secret key", hint: "Shown once, when the access key is made"},
		}},

		"folder": {kind: "Folder on the server", who: "the folder", settings: map[string]settingWords{
			"folder": {label: "Folder", hint: "A folder below the one that the operator of this service keeps for your account, such as reports; a single dot for that folder itself"},
		}},

		"upload": {kind: "Files uploaded here", who: "the list of uploaded files", settings: map[string]settingWords{}},
	}
}
