import { say } from "../../text";

/** Where to click in Shopify to get the export. */
export const WhereOrders = () => (
  <details class="where">
    <summary>{say("Where do I get this file?")}</summary>
    <ol>
      <li>{say("In the Shopify admin, open Orders.")}</li>
      <li>{say("Choose Export at the top of the list.")}</li>
      <li>
        {say("Choose “Export orders by date” and a period that begins at least a month before the report's first day, or “All orders”.")}
      </li>
      <li>{say("Choose “Plain CSV file”, then “Export orders”.")}</li>
      <li>{say("Up to 50 orders are downloaded at once. For more, Shopify sends an e-mail with a link, usually within an hour.")}</li>
    </ol>
    <p>{say("If your orders are in an app that adds the tracking number, its column is read too.")}</p>
  </details>
);

/** Where to click in a courier's panel to get the report. */
export const WhereReports = () => (
  <details class="where">
    <summary>{say("Where do I get these files?")}</summary>
    <p>
      {say(
        "You need the list of parcels for which the courier has paid you: the COD remittance report, with the AWB and the amount of each parcel. The summary of payouts is not enough.",
      )}
    </p>
    <dl>
      <dt>Delhivery</dt>
      <dd>
        {say(
          "Delhivery One: Finances, then the COD remittances. Open a payout and download its list of waybills. Each payout is a file: choose all of the period.",
        )}
      </dd>
      <dt>Shiprocket</dt>
      <dd>{say("Billing, then COD Remittance. Download the AWB sheet of each CRF ID, or the report of the period.")}</dd>
      <dt>Xpressbees, DTDC, Ecom Express, Shadowfax</dt>
      <dd>
        {say(
          "Look in the client panel under finance, billing or reports for “COD remittance”. Many couriers also send the file by e-mail with each payout; ask your account manager to add you to it.",
        )}
      </dd>
      <dt>{say("Another courier")}</dt>
      <dd>{say("Any table with the AWB or order number, an amount and a date of payment will do. You choose its columns here.")}</dd>
    </dl>
    <p>{say("The panels change now and then. If a name here is no longer right, search the panel for “remittance”.")}</p>
  </details>
);

export const WhereBank = () => (
  <details class="where">
    <summary>{say("What is it for?")}</summary>
    <p>
      {say(
        "With the statement, each payout of the reports is looked up in your bank account, so you see payouts that never arrived. Download it in your net banking as CSV or Excel, for the same period.",
      )}
    </p>
  </details>
);

export const WhereLedger = () => (
  <details class="where">
    <summary>{say("What is it for?")}</summary>
    <p>
      {say(
        "The workbook or ledger.csv that you saved from the results of the run before. With it, orders that are still owed are not forgotten when a new export does not have them any more.",
      )}
    </p>
  </details>
);
