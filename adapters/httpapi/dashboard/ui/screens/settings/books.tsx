// How the account's vouchers are written.
import { useState } from "preact/hooks";
import { announce } from "../../announce";
import { put } from "../../api";
import { Page } from "../../page";
import { Switch } from "../../parts/choices";
import { Field } from "../../parts/field";
import { ForAccount } from "../../parts/for-account";
import { FormFrame, onceSaved, useForm } from "../../parts/form";
import { Section } from "../../parts/section";
import { Loaded } from "../../parts/states";
import { useResource } from "../../resource";
import { say } from "../../text";
import type { Books } from "../../views";

export function BooksScreen() {
  return (
    <Page
      title={say("Books")}
      lead={say("What your accounting program calls the ledgers of your vouchers. A blank name is the one that is shown.")}>
      <ForAccount>
        <Kept />
      </ForAccount>
    </Page>
  );
}

function Kept() {
  const books = useResource<Books>("/app/api/books");
  return <Loaded from={books}>{(kept) => <Edit kept={kept} onSaved={books.set} />}</Loaded>;
}

// What each ledger is, by its key.
const labels: Record<string, () => { label: string; hint: string }> = {
  bank: () => ({ label: say("Bank"), hint: say("Into which couriers pay.") }),
  not_credited: () => ({ label: say("Not yet credited"), hint: say("What was paid out, and no bank statement shows yet.") }),
  receivable: () => ({
    label: say("Courier’s receivable"),
    hint: say("What a courier has collected and owes. {place} stands for its name.", { place: "{courier}" }),
  }),
  cod_charges: () => ({ label: say("COD charges"), hint: say("For collecting cash.") }),
  freight: () => ({ label: say("Freight"), hint: say("For carrying parcels, back too.") }),
  charges_tax: () => ({ label: say("Tax on charges"), hint: say("Such as GST.") }),
  tax_deducted: () => ({ label: say("Tax deducted"), hint: say("Such as TDS.") }),
  other_charges: () => ({ label: say("Other charges"), hint: say("Charges that are none of these.") }),
  difference: () => ({ label: say("Difference"), hint: say("What was deducted, and no charge explains.") }),
};

function Edit({ kept, onSaved }: { kept: Books; onSaved: (b: Books) => void }) {
  const form = useForm(kept.ledgers.map((l) => "ledgers." + l.key));
  const [names, setNames] = useState(() => Object.fromEntries(kept.ledgers.map((l) => [l.key, l.name])));
  const [byOrder, setByOrder] = useState(kept.by_order);
  const save = async () => {
    const saved = await put<Books>("/app/api/books", { ledgers: names, by_order: byOrder });
    setNames(onceSaved(names, Object.fromEntries(saved.ledgers.map((l) => [l.key, l.name]))));
    onSaved(saved);
    announce(say("Saved. The next vouchers have these names."));
  };
  return (
    <Section title={say("Names of ledgers")}>
      <FormFrame form={form} act={save} submit={say("Save")}>
        {kept.ledgers.map((l) => {
          const of = labels[l.key]?.() ?? { label: l.key, hint: "" };
          return (
            <Field
              key={l.key}
              label={of.label}
              hint={of.hint}
              error={form.errors["ledgers." + l.key]}
              value={names[l.key] ?? ""}
              onValue={(name) => setNames({ ...names, [l.key]: name })}
              placeholder={l.usual}
              autocomplete="off"
            />
          );
        })}
        <Switch
          label={say("Settle order by order")}
          hint={say("What a courier owes is settled by a bill reference for each order.")}
          on={byOrder}
          onValue={setByOrder}
        />
      </FormFrame>
    </Section>
  );
}
