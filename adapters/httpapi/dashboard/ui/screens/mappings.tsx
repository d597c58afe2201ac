// Saved mappings: which column of a courier's reports has which role.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { announce } from "../announce";
import { del, patch } from "../api";
import { Page } from "../page";
import { Button, PrimaryLink } from "../parts/button";
import { Confirm, ConfirmButton } from "../parts/confirm";
import { Field } from "../parts/field";
import { ForAccount } from "../parts/for-account";
import { roleName, roles } from "../parts/role";
import { Empty, Loaded, NotInPlan } from "../parts/states";
import { Headings } from "../parts/table";
import { useResource } from "../resource";
import { account } from "../session";
import type { NamedMapping, SavedMapping } from "../views";
import { moment, say } from "../text";

export function MappingsScreen() {
  return (
    <Page
      title={say("Saved mappings")}
      lead={say("Which column of a report means what. Later reports of the same courier, or with the same header, are read by it.")}>
      <ForAccount>
        <Mappings />
      </ForAccount>
    </Page>
  );
}

interface Saved {
  mappings: SavedMapping[];
  named: NamedMapping[];
}

function Mappings() {
  const saved = useResource<Saved>("/app/api/mappings");
  const remove = async (m: SavedMapping, all: Saved) => {
    await del("/app/api/mappings/" + encodeURIComponent(m.courier));
    saved.set({ ...all, mappings: all.mappings.filter((o) => o.courier !== m.courier) });
    announce(say("The mapping of {courier} is deleted.", { courier: m.name }));
  };
  const removeNamed = async (m: NamedMapping, all: Saved) => {
    await del("/app/api/named-mappings?name=" + encodeURIComponent(m.name));
    saved.set({ ...all, named: all.named.filter((o) => o !== m) });
    announce(say("The mapping “{name}” is deleted.", { name: m.name }));
  };
  const rename = async (m: NamedMapping, to: string, all: Saved) => {
    await patch("/app/api/named-mappings", { name: m.name, to });
    saved.set({ ...all, named: all.named.map((o) => (o === m ? { ...m, name: to.trim() } : o)) });
    announce(say("The mapping is called “{name}” now.", { name: to.trim() }));
  };
  return (
    <Loaded from={saved}>
      {(all) =>
        all.mappings.length + all.named.length === 0 ? (
          <None />
        ) : (
          <div class="stack">
            {all.named.length > 0 && <h2>{say("{n} with a name|{n} with a name", { n: all.named.length })}</h2>}
            {all.named.map((m, i) => (
              <OneMapping
                key={m.name}
                id={"named-" + i}
                mapping={m}
                note={say("For reports with exactly the header of the one for which it was saved.")}
                title={say("Delete the mapping “{name}”?", { name: m.name })}
                then={say("The next report with this header asks for its columns again, if Milaan does not find them.")}
                onRemove={() => removeNamed(m, all)}>
                <Rename mapping={m} onRename={(to) => rename(m, to, all)} />
              </OneMapping>
            ))}
            {all.mappings.length > 0 && <h2>{say("{n} courier|{n} couriers", { n: all.mappings.length })}</h2>}
            {all.mappings.map((m) => (
              <OneMapping
                key={m.courier}
                id={"mapping-" + m.courier}
                mapping={m}
                title={say("Delete the mapping of {courier}?", { courier: m.name })}
                then={say("The next run looks for the columns of this courier’s report again. If it does not find them, you choose them.")}
                onRemove={() => remove(m, all)}
              />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

function Rename({ mapping, onRename }: { mapping: NamedMapping; onRename: (to: string) => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const [name, setName] = useState(mapping.name);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{say("Rename…")}</Button>
      {asking && (
        <Confirm
          title={say("Rename the mapping “{name}”", { name: mapping.name })}
          action={say("Rename")}
          danger={false}
          onConfirm={() => onRename(name)}
          onClose={() => setAsking(false)}>
          <Field label={say("Name of these columns")} value={name} onValue={setName} maxLength={100} />
        </Confirm>
      )}
    </>
  );
}

const None = () =>
  account.value!.saves_mappings ? (
    <Empty title={say("No mappings yet")} action={<PrimaryLink to="/app">{say("Reconcile files")}</PrimaryLink>}>
      <p>
        {say(
          "When you reconcile a report, Milaan finds its columns or you choose them. The choice is then saved for that courier, or under a name.",
        )}
      </p>
    </Empty>
  ) : (
    <NotInPlan title={say("Mappings are saved on the Enterprise plan")}>
      {say(
        "On that plan, the columns that you choose for a courier’s report are used for its later reports too. On your plan, Milaan looks for the columns again in each run, and you choose those that it does not find.",
      )}
    </NotInPlan>
  );

interface OneMappingProps {
  id: string;
  mapping: SavedMapping | NamedMapping;
  note?: string;
  /** Asks whether it is to be deleted, and says what follows. */
  title: string;
  then: string;
  onRemove: () => Promise<void>;
  children?: ComponentChildren;
}

function OneMapping({ id, mapping, note, title, then, onRemove, children }: OneMappingProps) {
  return (
    <section class="card stack tight" aria-labelledby={id}>
      <div class="title-row">
        <h3 id={id}>{mapping.name}</h3>
        {mapping.saved_at && <span class="hint">{say("Saved on {time}", { time: moment(mapping.saved_at) })}</span>}
      </div>
      {note && <p class="soft small">{note}</p>}
      <table class="figures">
        <Headings of={[say("Meaning"), say("Column of the report")]} />
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
        {children}
        <ConfirmButton label={say("Delete…")} title={title} action={say("Delete")} onConfirm={onRemove}>
          <p>{then}</p>
        </ConfirmButton>
      </div>
    </section>
  );
}
