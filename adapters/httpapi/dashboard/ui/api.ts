// Requests to the service. Every refusal is an ApiError with the service's own sentence.
import { language, say } from "./text";
import type { AnswerWarning, Failure, Fault } from "./views";

export class ApiError extends Error {
  constructor(
    readonly status: number, // 0: no answer came
    readonly code: string,
    message: string,
    readonly field: string = "",
    readonly file: Failure["file"] | "" = "",
    readonly report: number = 0, // from 1
    readonly faults: Fault[] = [],
    readonly retryAfter: number = 0, // seconds
  ) {
    super(message);
  }
}

/** Whether the page has a session, and what is done when the service says that it has none. session.ts sets both. */
let hasSession = () => false;
let onSignedOut: () => void = () => {};
export const ofSession = (has: () => boolean, whenSignedOut: () => void) => {
  hasSession = has;
  onSignedOut = whenSignedOut;
};

/** The headers of each request. The service serves nobody as a visitor who says that they have a session. */
const usual = (): Record<string, string> => ({ "Accept-Language": language.value, ...(hasSession() && { "X-Session": "expected" }) });

const unreachable = () => new ApiError(0, "unreachable", say("Milaan could not be reached. Check the connection, and try again."));
const cancelled = () => new ApiError(0, "cancelled", say("The request was cancelled."));

function refusal(status: number, text: string, retryAfter: string | null): ApiError {
  let failure: Partial<Failure> = {};
  try {
    failure = JSON.parse(text) as Partial<Failure>;
  } catch {
    // A proxy may answer with a page of its own.
  }
  const message =
    failure.error ??
    (status === 413
      ? say("A program between this page and Milaan, such as a proxy, refuses files of this size. Ask who runs it, or send fewer files.")
      : say("The answer had the status {status} and no explanation. Try again later.", { status: String(status) }));
  const error = new ApiError(
    status,
    failure.code ?? "",
    message,
    failure.field,
    failure.file,
    failure.report,
    failure.faults ?? [],
    Number(retryAfter) || 0,
  );
  if (status === 401 && error.code === "session") onSignedOut();
  return error;
}

/** Whether a proxy or a network's page to sign in has answered: the service answers requests with no page. */
const foreign = (type: string | null) => Boolean(type?.startsWith("text/html"));

async function fetched<T>(
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  const headers = usual();
  const form = body instanceof FormData;
  if (body !== undefined && !form) headers["Content-Type"] = "application/json";
  try {
    const answer = await fetch(path, { method, headers, body: form ? body : JSON.stringify(body), signal });
    if (answer.ok && foreign(answer.headers.get("Content-Type"))) throw unreachable();
    if (answer.ok) return await read(answer);
    throw refusal(answer.status, await answer.text(), answer.headers.get("Retry-After"));
  } catch (e) {
    if (e instanceof ApiError) throw e;
    throw signal?.aborted ? cancelled() : unreachable();
  }
}

const send = <T>(method: string, path: string, body?: unknown, signal?: AbortSignal) =>
  fetched(method, path, body, signal, async (answer) => {
    const text = await answer.text();
    return (text ? JSON.parse(text) : undefined) as T;
  });

export const get = <T>(path: string, signal?: AbortSignal) => send<T>("GET", path, undefined, signal);
export const getBytes = (path: string, signal?: AbortSignal) =>
  fetched("GET", path, undefined, signal, async (answer) => new Uint8Array(await answer.arrayBuffer()));
/** Fetches a file. */
export const getFile = (path: string) =>
  fetched(
    "GET",
    path,
    undefined,
    undefined,
    async (answer): Promise<Download> => ({ blob: await answer.blob(), name: fileName(answer.headers.get("Content-Disposition")) }),
  );
export const post = <T = void>(path: string, body: unknown = {}) => send<T>("POST", path, body);
export const put = <T = void>(path: string, body: unknown) => send<T>("PUT", path, body);
export const patch = <T = void>(path: string, body: unknown) => send<T>("PATCH", path, body);
export const del = <T = void>(path: string, body?: unknown) => send<T>("DELETE", path, body);

/** How far a form is: sending counts from 0 to 1, and then the service reads. */
export type Progress = { phase: "sending"; done: number } | { phase: "reading" };

export interface Download {
  blob: Blob;
  name: string;
}

interface FormOptions {
  onProgress?: (p: Progress) => void;
  signal?: AbortSignal;
}

/** Sends a form with files and returns the JSON of the answer. */
export function form<T>(path: string, data: FormData, options: FormOptions = {}): Promise<T> {
  return upload(path, data, "text", options, (x) => JSON.parse(x.responseText) as T);
}

/** Sends a form with files and returns the bytes of the answer, which may be large. */
export function formToBytes(path: string, data: FormData, options: FormOptions = {}): Promise<Uint8Array> {
  return upload(path, data, "arraybuffer", options, (x) => new Uint8Array(x.response as ArrayBuffer));
}

/** Sends a form with files and hands over the bytes of the answer as they arrive, the next ones when take is done. How far the form is is not known. */
export const formToStream = (path: string, data: FormData, signal: AbortSignal, take: (bytes: Uint8Array) => void | Promise<void>) =>
  fetched("POST", path, data, signal, async (answer) => {
    const reader = answer.body!.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const wait = take(part.value);
      if (wait) await wait;
    }
  });

/** Sends a form with files and returns the file of the answer, and in sentences what it leaves out. */
export function formToFile(path: string, data: FormData, options: FormOptions = {}): Promise<Download & { leftOut: string }> {
  return upload(path, data, "blob", options, (x) => ({
    blob: x.response as Blob,
    name: fileName(x.getResponseHeader("Content-Disposition")),
    leftOut: (JSON.parse(x.getResponseHeader("X-Document-Warnings") ?? "[]") as AnswerWarning[]).map((w) => w.message).join(" "),
  }));
}

// XMLHttpRequest, because fetch does not tell how much has been sent.
function upload<T>(
  path: string,
  data: FormData,
  kind: "text" | "blob" | "arraybuffer",
  { onProgress, signal }: FormOptions,
  read: (x: XMLHttpRequest) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(cancelled());
    const x = new XMLHttpRequest();
    x.open("POST", path);
    for (const [name, value] of Object.entries(usual())) x.setRequestHeader(name, value);
    x.responseType = kind;
    x.upload.onprogress = (e) => onProgress?.({ phase: "sending", done: e.lengthComputable ? e.loaded / e.total : 0 });
    x.upload.onload = () => onProgress?.({ phase: "reading" });
    x.onerror = () => reject(unreachable());
    x.onabort = () => reject(cancelled());
    x.onload = async () => {
      try {
        const ok = x.status >= 200 && x.status < 300;
        if (ok && foreign(x.getResponseHeader("Content-Type"))) return reject(unreachable());
        if (ok) return resolve(read(x));
        const text = kind === "text" ? x.responseText : await new Response(x.response as Blob | ArrayBuffer).text();
        reject(refusal(x.status, text, x.getResponseHeader("Retry-After")));
      } catch {
        reject(unreachable()); // the answer was cut short
      }
    };
    signal?.addEventListener("abort", () => x.abort());
    x.send(data);
  });
}

/** The name that the service gives a file: it stands in quotes and is of ASCII. */
const fileName = (disposition: string | null) => /"(.+)"/.exec(disposition!)?.[1] ?? "milaan";

/** Hands a file to the browser's downloads. */
export function save({ blob, name }: Download) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** What an error says to a person. */
export const messageOf = (error: unknown) =>
  error instanceof ApiError ? error.message : say("Something went wrong in this page. Reload it, and try again.");
