// Saved mappings: which column of a courier's reports has which role.
import { announce } from "../announce";
import { del } from "../api";
import { Page } from "../page";
import { PrimaryLink } from "../parts/button";
import { ConfirmButton } from "../parts/confirm";
import { ForAccount } from "../parts/for-account";
import { roleName, roles } from "../parts/role";
import { Empty, Loaded, NotInPlan } from "../parts/states";
import { useResource } from "../resource";
import { account } from "../session";
import type { SavedMapping } from "../views";
import { moment, say } from "../text";

export function MappingsScreen() {
  return (
    <Page
      title={say("Saved mappings")}
      lead={say("Which column of a courier’s reports means what. Later runs of the same courier use it.")}>
      <ForAccount>
        <Mappings />
      </ForAccount>
    </Page>
  );
}

function Mappings() {
  const saved = useResource<{ mappings: SavedMapping[] }>("/app/api/mappings");
  const remove = async (m: SavedMapping, all: SavedMapping[]) => {
    await del("/app/api/mappings/" + encodeURIComponent(m.courier));
    saved.set({ mappings: all.filter((o) => o.courier !== m.courier) });
    announce(say("The mapping of {courier} is deleted.", { courier: m.name }));
  };
  return (
    <Loaded from={saved}>
      {({ mappings }) =>
        mappings.length === 0 ? (
          <None />
        ) : (
          <div class="stack">
            <h2>{say("{n} courier|{n} couriers", { n: mappings.length })}</h2>
            {mappings.map((m) => (
              <OneMapping key={m.courier} mapping={m} onRemove={() => remove(m, mappings)} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

const None = () =>
  account.value!.saves_mappings ? (
    <Empty title={say("No mappings yet")} action={<PrimaryLink to="/app">{say("Reconcile files")}</PrimaryLink>}>
      <p>{say("When you reconcile a report, Milaan finds its columns or you choose them. The choice is then saved for that courier.")}</p>
    </Empty>
  ) : (
    <NotInPlan title={say("Mappings are saved on the Enterprise plan")}>
      {say(
        "On that plan, the columns that you choose for a courier’s report are used for its later reports too. On your plan, Milaan looks for the columns again in each run, and you choose those that it does not find.",
      )}
    </NotInPlan>
  );

function OneMapping({ mapping, onRemove }: { mapping: SavedMapping; onRemove: () => Promise<void> }) {
  const id = "mapping-" + mapping.courier;
  return (
    <section class="card stack tight" aria-labelledby={id}>
      <div class="title-row">
        <h3 id={id}>{mapping.name}</h3>
        {mapping.saved_at && <span class="hint">{say("Saved on {time}", { time: moment(mapping.saved_at) })}</span>}
      </div>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">{say("Meaning")}</th>
            <th scope="col">{say("Column of the report")}</th>
          </tr>
        </thead>
        <tbody>
          {roles
            .filter((r) => mapping.columns[r])
            .map((r) => (
              <tr key={r}>
                <th scope="row">{roleName(r)}</th>
                <td class="cell-text">{[mapping.columns[r]].flat().join(", ")}</td>
              </tr>
            ))}
        </tbody>
      </table>
      <div class="actions">
        <ConfirmButton
          label={say("Delete…")}
          title={say("Delete the mapping of {courier}?", { courier: mapping.name })}
          action={say("Delete")}
          onConfirm={onRemove}>
          <p>{say("The next run looks for the columns of this courier’s report again. If it does not find them, you choose them.")}</p>
        </ConfirmButton>
      </div>
    </section>
  );
}
