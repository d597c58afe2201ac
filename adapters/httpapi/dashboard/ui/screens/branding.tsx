// How documents are marked as the account's own.
import { useRef, useState } from "preact/hooks";
import { announce } from "../announce";
import { put } from "../api";
import { Page } from "../page";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { Field, Frame } from "../parts/field";
import { ForAccount } from "../parts/for-account";
import { FormFrame, onceSaved, useForm, Wrong } from "../parts/form";
import { Section } from "../parts/section";
import { Loaded, NotInPlan } from "../parts/states";
import { useResource } from "../resource";
import { account } from "../session";
import type { Branding } from "../views";
import { say, size } from "../text";

export function BrandingScreen() {
  return (
    <Page title={say("Branding")} lead={say("Your name, colour, logo and footer on the documents that Milaan writes for you.")}>
      <ForAccount>
        {account.value?.has_branding ? (
          <Kept />
        ) : (
          <NotInPlan title={say("Branding is part of the Pro and Enterprise plans")}>
            {say(
              "On those plans, workbooks, PDFs and dispute letters have your name, colour, logo and footer. On your plan they have Milaan’s.",
            )}
          </NotInPlan>
        )}
      </ForAccount>
    </Page>
  );
}

function Kept() {
  const branding = useResource<Branding>("/app/api/branding");
  return <Loaded from={branding}>{(kept) => <Edit kept={kept} onSaved={branding.set} />}</Loaded>;
}

// What the browser's colour field shows while there is none.
const usualColour = "#3730a3";
const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

function Edit({ kept, onSaved }: { kept: Branding; onSaved: (b: Branding) => void }) {
  const form = useForm(["name", "branding_name", "colour", "footer", "logo"]);
  const [name, setName] = useState(kept.name);
  const [colour, setColour] = useState(kept.colour);
  const [footer, setFooter] = useState(kept.footer);
  const [logo, setLogo] = useState<File>();
  const [version, setVersion] = useState(() => Date.now());
  const [removing, setRemoving] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);

  const take = (b: Branding) => {
    setName(onceSaved(name, b.name));
    setColour(onceSaved(colour, b.colour));
    setFooter(onceSaved(footer, b.footer));
    takeLogo(b);
  };
  const takeLogo = (b: Branding) => {
    if (chooser.current?.files?.[0] === logo) {
      setLogo(undefined);
      if (chooser.current) chooser.current.value = "";
    }
    setVersion(Date.now()); // another address, so that the former picture is not shown
    onSaved(b);
  };
  const save = async () => {
    take(
      await put<Branding>("/app/api/branding", {
        name: name.trim(),
        colour: colour.trim(),
        footer: footer.trim(),
        ...(logo && { logo: await base64(logo) }),
      }),
    );
    announce(say("Saved. The next documents show it."));
  };
  const dropLogo = async () => {
    takeLogo(await put<Branding>("/app/api/branding", { no_logo: true }));
    announce(say("The logo is removed."));
  };
  const dropAll = async () => {
    take(await put<Branding>("/app/api/branding", { name: "", colour: "", footer: "", no_logo: true }));
    announce(say("The branding is removed. Documents have Milaan’s."));
  };
  const empty = !kept.name && !kept.colour && !kept.footer && !kept.has_logo;
  return (
    <div class="halves">
      <Section title={say("Your branding")}>
        <FormFrame
          form={form}
          act={save}
          submit={say("Save")}
          actions={!empty && <Button onClick={() => setRemoving(true)}>{say("Remove all…")}</Button>}>
          <Field
            label={say("Name")}
            hint={say("It replaces Milaan’s name.")}
            error={form.errors.name ?? form.errors.branding_name}
            value={name}
            onValue={setName}
            autocomplete="organization"
          />
          <ColourField value={colour} onValue={setColour} error={form.errors.colour} />
          <Field
            label={say("Footer")}
            hint={say("One line at the end of each page, such as your address.")}
            error={form.errors.footer}
            value={footer}
            onValue={setFooter}
            autocomplete="off"
          />
          <Frame
            label={say("Logo")}
            hint={
              logo
                ? say("{name}, {size}. It is shown here once it is saved.", { name: logo.name, size: size(logo.size) })
                : say("A PNG or JPEG of at most 256 KB.")
            }
            error={form.errors.logo}
            control={(tied) => (
              <input
                {...tied}
                ref={chooser}
                type="file"
                accept="image/png,image/jpeg"
                onChange={(e) => setLogo(e.currentTarget.files?.[0])}
              />
            )}
          />
        </FormFrame>
        {removing && (
          <Confirm
            title={say("Remove the branding?")}
            action={say("Remove the branding")}
            onConfirm={dropAll}
            onClose={() => setRemoving(false)}>
            <p>{say("Name, colour, footer and logo are deleted. Documents that were written before stay as they are.")}</p>
          </Confirm>
        )}
      </Section>
      <Preview of={kept} logo={kept.has_logo ? "/app/api/branding/logo?version=" + version : ""} onDropLogo={dropLogo} />
    </div>
  );
}

function ColourField({ value, onValue, error }: { value: string; onValue: (v: string) => void; error?: string }) {
  return (
    <div class="colour">
      <Field
        label={say("Colour")}
        hint={say("Such as #1A4F8B, dark enough to be read on white paper. Blank is Milaan’s.")}
        error={error}
        value={value}
        onValue={onValue}
        autocomplete="off"
        spellcheck={false}
      />
      <input
        type="color"
        aria-label={say("Pick the colour")}
        value={isColour(value) ? value : usualColour}
        onInput={(e) => onValue(e.currentTarget.value.toUpperCase())}
      />
    </div>
  );
}

/** The head and the foot of a page of a document, as they are saved. */
function Preview({ of: b, logo, onDropLogo }: { of: Branding; logo: string; onDropLogo: () => Promise<void> }) {
  const form = useForm([]);
  return (
    <Section title={say("On a document, as saved")}>
      <div class="sheet" style={{ "--brand": b.colour || usualColour }}>
        <div class="sheet-head">
          {logo && <img src={logo} alt={say("Your logo")} />}
          <b>{b.name || "Milaan"}</b>
        </div>
        <div class="sheet-lines" aria-hidden="true">
          <span />
          <span />
          <span />
          <span />
        </div>
        <p class="sheet-foot">{b.footer}</p>
      </div>
      <Wrong form={form} />
      {logo && (
        <div class="actions">
          <Button busy={form.busy} onClick={form.submit(onDropLogo)}>
            {say("Remove the logo")}
          </Button>
        </div>
      )}
    </Section>
  );
}

/** The bytes of a file, as JSON can have them. */
function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
