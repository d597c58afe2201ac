// The service as the sources see it: it knows a file by its name, and a test decides what becomes of runs.
import type { Is } from "../views";
import "./browser";

/** What a test asks of the service, and what it was asked. */
export const service = {
  /** What was asked, in the order of the requests: the kind of each file that was sent, and its name. */
  asked: [] as string[],
  /** Whether it cannot be reached. */
  broken: false,
  /** Answers that the test gives itself; null: each is given at once. */
  held: null as (() => void)[] | null,
  /** What the first rows of a large file look like: they have no name. */
  seems: "orders" as Is,
  /** The answer to a run: its status and body. */
  run: [200, ""] as [status: number, body: string],
  /** The Content-Type of that answer. */
  type: "",
  reset() {
    Object.assign(service, { asked: [], broken: false, held: null, seems: "orders", run: [200, ""], type: "" });
  },
};

const sentIn = (data: FormData) => [...data.entries()].filter(([, value]) => value instanceof File) as [string, File][];

function take(data: FormData, path: string) {
  const files = sentIn(data)
    .map(([as, file]) => `${as} ${file.name}`)
    .join(" + ");
  service.asked.push(path.endsWith("/inspect") ? files : "run: " + files);
}

function inspection(data: FormData): string {
  const first = sentIn(data)[0]![1];
  const is = (/orders|report|bank/.exec(first.name)?.[0] ?? (first.name === "blob" ? service.seems : "")) as Is;
  const fault = is ? null : { error: "No header." };
  const seen = { is, fault, header: [], rows: service.asked.length, courier: "acme", mapping: null, missing: null };
  return JSON.stringify({ orders: seen, reports: [seen], bank: seen });
}

const answered = (answer: () => void) => void (service.held ? service.held.push(answer) : setTimeout(answer));

class Request {
  upload = { onprogress: (_: unknown) => {}, onload: () => {} };
  aborted = false;
  path = "";
  status = 200;
  responseText = "";
  response: ArrayBuffer | null = null;
  onload = () => {};
  onerror = () => {};
  onabort = () => {};
  open(_: string, path: string) {
    this.path = path;
  }
  setRequestHeader() {}
  getResponseHeader = (name: string) => (name === "Content-Type" ? service.type : null);
  abort() {
    this.aborted = true;
    this.onabort();
  }
  send(data: FormData) {
    take(data, this.path);
    if (this.path.endsWith("/inspect")) this.responseText = inspection(data);
    this.upload.onprogress({ lengthComputable: true, loaded: 1, total: 2 });
    answered(() => {
      if (this.aborted) return;
      if (service.broken) return this.onerror();
      if (!this.path.endsWith("/inspect")) {
        const [status, body] = service.run;
        Object.assign(this, { status, response: new TextEncoder().encode(body).buffer });
      }
      this.upload.onload();
      this.onload();
    });
  }
}

/** Answers runs of visitors, and says who signs in: nobody. */
const fetched = (path: string, { body, signal }: { body?: FormData; signal?: AbortSignal } = {}) =>
  new Promise<Response>((done, fail) => {
    if (path === "/app/api/me") return fail(new Error("it is not asked here"));
    take(body!, path);
    signal!.addEventListener("abort", () => fail(new Error("stopped")));
    answered(() =>
      service.broken
        ? fail(new Error("unreachable"))
        : done(new Response(service.run[1], { status: service.run[0], headers: { "Content-Type": service.type } })),
    );
  });

Object.assign(globalThis, { XMLHttpRequest: Request, fetch: fetched });
