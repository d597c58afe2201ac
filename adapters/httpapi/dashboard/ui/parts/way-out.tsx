import { Link } from "../router";
import { account, may } from "../session";
import { say } from "../text";

/** The way out of a refusal whose reason the account's owner can remove; nothing for others. */
export function WayOut({ code }: { code: string }) {
  if (!account.value || !may("owner")) return null;
  switch (code) {
    case "phone_not_verified":
    case "setup_incomplete":
      return (
        <p>
          <Link to="/app/setup">{say("Finish the setup")}</Link>
        </p>
      );
    case "subscription_ended":
      return (
        <p>
          <Link to="/app/account">{say("Your plan")}</Link>
        </p>
      );
  }
  return null;
}
