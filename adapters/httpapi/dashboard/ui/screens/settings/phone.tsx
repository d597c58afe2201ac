// The phone number of the account: a code is sent to it, and entered here.
import { useEffect, useState } from "preact/hooks";
import { announce } from "../../announce";
import { ApiError, post } from "../../api";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { FormFrame, useForm } from "../../parts/form";
import { Notice } from "../../parts/notice";
import { Loaded } from "../../parts/states";
import { useResource, type Resource } from "../../resource";
import { account, me, refresh } from "../../session";
import { clock, say } from "../../text";
import type { Phone, SentCode } from "../../views";

/** Verifies the number, and shows which one is verified. */
export function PhoneNumber() {
  if (me.value!.phone_codes) return <WithCodes />;
  return account.value!.phone_verified ? (
    <p>{say("The phone number is verified.")}</p>
  ) : (
    <p>{say("This service sends no codes to phones. Ask whoever runs it to verify your number.")}</p>
  );
}

function WithCodes() {
  const phone = useResource<Phone>("/app/api/account/phone");
  return <Loaded from={phone}>{(now) => <Codes phone={phone} now={now} />}</Loaded>;
}

function Codes({ phone, now }: { phone: Resource<Phone>; now: Phone }) {
  const [changing, setChanging] = useState(false);
  const [sentTo, setSentTo] = useState("");
  const done = async () => {
    setChanging(false);
    await Promise.all([phone.reload(), refresh()]);
    announce(say("The phone number is verified."));
  };
  const sent = (number: string, code: SentCode) => {
    setSentTo(number);
    phone.set({ ...now, code_open_until: code.until, next_send_at: code.next_send_at });
  };
  const again = () => {
    setChanging(true);
    phone.set({ ...now, code_open_until: null });
  };
  return (
    <div class="stack">
      {now.verified && (
        <Notice kind="good" live={false}>
          <p>{now.number ? say("The number {number} is verified.", { number: now.number }) : say("The phone number is verified.")}</p>
        </Notice>
      )}
      {now.code_open_until ? (
        <EnterCode now={now} sentTo={sentTo} onSent={sent} onDone={done} onOther={again} />
      ) : now.verified && !changing ? (
        <div class="actions">
          <Button onClick={() => setChanging(true)}>{say("Change the number")}</Button>
        </div>
      ) : (
        <EnterNumber now={now} number={sentTo} onSent={sent} onCancel={now.verified ? () => setChanging(false) : undefined} />
      )}
    </div>
  );
}

const send = (number: string) => post<SentCode>("/app/api/account/phone", { number });

function EnterNumber({
  now,
  number: before,
  onSent,
  onCancel,
}: {
  now: Phone;
  number: string;
  onSent: (number: string, code: SentCode) => void;
  onCancel?: () => void;
}) {
  const form = useForm(["number"]);
  const [number, setNumber] = useState(before);
  const wait = useSeconds(now.next_send_at);
  const act = async () => onSent(number, await send(number));
  return (
    <FormFrame
      form={form}
      act={act}
      label={say("Phone number")}
      submit={wait > 0 ? say("Send a code (in {n} s)", { n: wait }) : say("Send a code")}
      disabled={wait > 0}
      actions={onCancel && <Button onClick={onCancel}>{say("Cancel")}</Button>}>
      <Field
        label={say("Phone number")}
        hint={
          now.verified
            ? say("An Indian mobile number. The present one holds until the new one is verified.")
            : say("An Indian mobile number. A code of six digits is sent to it in a text message.")
        }
        error={form.errors.number}
        inputMode="tel"
        autocomplete="tel"
        placeholder="+91 98765 43210"
        value={number}
        onValue={setNumber}
      />
    </FormFrame>
  );
}

function EnterCode({
  now,
  sentTo,
  onSent,
  onDone,
  onOther,
}: {
  now: Phone;
  sentTo: string;
  onSent: (number: string, code: SentCode) => void;
  onDone: () => Promise<void>;
  onOther: () => void;
}) {
  const form = useForm(["code"]);
  const repeat = useForm(["number"]);
  const [code, setCode] = useState("");
  const wait = useSeconds(now.next_send_at);
  const act = async () => {
    try {
      await post("/app/api/account/phone/verify", { code });
    } catch (e) {
      if (!(e instanceof ApiError) || e.code !== "phone_code_invalid") throw e;
      throw new ApiError(e.status, e.code, e.message, "code");
    }
    await onDone();
  };
  const resend = async () => {
    onSent(sentTo, await send(sentTo));
    announce(say("Another code is on its way. The former one does not work any more."));
  };
  return (
    <>
      <p>
        {sentTo
          ? say("A code is on its way to {number}. It works until {time}.", { number: sentTo, time: clock(now.code_open_until) })
          : say("A code was sent to the number that you entered. It works until {time}.", { time: clock(now.code_open_until) })}
      </p>
      <FormFrame form={form} act={act} label={say("Code")} submit={say("Verify")}>
        <Field
          label={say("Code")}
          hint={say("Six digits, from the text message.")}
          error={form.errors.code}
          class="short"
          inputMode="numeric"
          autocomplete="one-time-code"
          maxlength={12}
          value={code}
          onValue={setCode}
        />
      </FormFrame>
      {(repeat.general || repeat.errors.number) && <Notice kind="error">{repeat.errors.number ?? repeat.general}</Notice>}
      <div class="actions">
        {sentTo && (
          <Button look="plain" busy={repeat.busy} disabled={wait > 0} onClick={repeat.submit(resend)}>
            {wait > 0 ? say("Send another code (in {n} s)", { n: wait }) : say("Send another code")}
          </Button>
        )}
        <Button look="plain" onClick={onOther}>
          {say("Use another number")}
        </Button>
      </div>
    </>
  );
}

/**
 * How many seconds are left until a moment; 0 if it has passed. It is also 0 if more than a minute is left: then the
 * clock of this machine is wrong, or the day's codes are used up, and the service says how long to wait.
 */
function useSeconds(until: string | null): number {
  const left = () => {
    const seconds = until ? Math.ceil((Date.parse(until) - Date.now()) / 1000) : 0;
    return seconds > 0 && seconds <= 60 ? seconds : 0;
  };
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}
