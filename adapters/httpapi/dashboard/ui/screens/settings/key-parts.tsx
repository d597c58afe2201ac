// What is shown of a key, and what can be done with it: the same of both kinds.
import { useState } from "preact/hooks";
import { announce } from "../../announce";
import { ApiError, del, post } from "../../api";
import { ConfirmButton } from "../../parts/confirm";
import { Fact } from "../../parts/fact";
import { useResource } from "../../resource";
import { me } from "../../session";
import type { Key, NewKey } from "../../views";
import { moment, say } from "../../text";

/** The key that is at path. secret: what shows a new one, once. */
export function useKey(path: string) {
  const active = useResource<{ key: Key | null }>(path);
  const [fresh, setFresh] = useState<NewKey | null>(null);
  const prefix = active.value?.key?.prefix ?? "";
  const replace = async () => {
    try {
      setFresh(await post<NewKey>(path, { replaces: prefix }));
    } catch (e) {
      // Somebody else has replaced the key meanwhile: the page shows which one it is now.
      if (e instanceof ApiError && e.status === 409) void active.reload();
      throw e;
    }
    await active.reload();
  };
  const revoke = async (said: string) => {
    await del(path, { prefix });
    active.set({ key: null });
    announce(said);
  };
  return { active, replace, revoke, secret: fresh && { secret: fresh.key, onClose: () => setFresh(null) } };
}

/** The command that reconciles two files with a key. */
export const command = (prefix: string, curl: string) =>
  [
    `KEY='${prefix}…'`,
    `${curl} -H "Authorization: Bearer $KEY" \\`,
    `  -F orders=@orders.csv -F report=@remittance.csv \\`,
    `  ${me.value!.base_url || location.origin}/reconcile/files`,
  ].join("\n");

export function KeyAttributes({ of: key }: { of: Key }) {
  return (
    <dl class="attributes">
      <Fact term={say("Begins with")}>
        <code>{key.prefix}</code>
      </Fact>
      <Fact term={say("Made on")}>{moment(key.issued_at)}</Fact>
      <Fact term={say("Last used")}>{key.last_used_at ? moment(key.last_used_at) : say("never")}</Fact>
    </dl>
  );
}

interface KeyButtonsProps {
  of: Key;
  sandbox?: boolean;
  onReplace: () => Promise<void>;
  onRevoke: () => Promise<void>;
}

export function KeyButtons({ of: key, sandbox = false, onReplace, onRevoke }: KeyButtonsProps) {
  return (
    <div class="actions">
      <ConfirmButton
        label={say("Rotate…")}
        name={sandbox ? say("Rotate the sandbox key…") : undefined}
        title={sandbox ? say("Replace the sandbox key by a new one?") : say("Replace the key by a new one?")}
        action={say("Make a new key")}
        typed={key.prefix}
        onConfirm={onReplace}>
        <p>
          {say("The present key stops working at once. Programs that use it are refused until they have the new one, which is shown once.")}
        </p>
      </ConfirmButton>
      <ConfirmButton
        label={say("Revoke…")}
        name={sandbox ? say("Revoke the sandbox key…") : undefined}
        title={sandbox ? say("Revoke the sandbox key?") : say("Revoke the key?")}
        action={sandbox ? say("Revoke the sandbox key") : say("Revoke the key")}
        typed={key.prefix}
        onConfirm={onRevoke}>
        <p>{say("The key stops working at once, and for good. You can make a new one at any time.")}</p>
      </ConfirmButton>
    </div>
  );
}
