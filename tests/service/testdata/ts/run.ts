// Makes the calls of calls.json with a generated client, and prints what each returned. It finds the
// functions of an operation by its id, so that an operation is called as soon as it is described.
import { readFileSync } from "node:fs";
import axios from "axios";
import createClient from "openapi-fetch";
import * as heyapi from "./generated/heyapi";
import { client as heyClient } from "./generated/heyapi/client.gen";
import * as orval from "./generated/orval";
import * as orvalfetch from "./generated/orvalfetch";

interface Call {
  operation: string;
  method: string;
  route: string;
  path: Record<string, string>;
  query: Record<string, string>;
  header: Record<string, string>;
  token: string;
  media: string;
  body: unknown;
  has_query: boolean;
  answers_json: boolean;
}

interface Returned {
  error?: string;
  json?: unknown;
  bytes?: string;
}

type Ask = (server: string, call: Call) => Promise<unknown>;

const headers = (call: Call): Record<string, string> =>
  call.token ? { Authorization: `Bearer ${call.token}`, ...call.header } : call.header;

// files makes files of what stands for them.
function files(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(files);
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Record<string, unknown>;
  if (typeof fields.file === "string") return new File([fields.file], String(fields.name));
  return Object.fromEntries(Object.entries(fields).map(([name, inner]) => [name, files(inner)]));
}

const isForm = (call: Call): boolean => call.media === "multipart/form-data";
const bodyOf = (call: Call): unknown => (isForm(call) ? files(call.body) : call.body);

function named(module: object, operation: string): (...args: unknown[]) => Promise<unknown> {
  const functions = module as Record<string, unknown>;
  const name = Object.keys(functions).find((n) => n.toLowerCase() === operation.toLowerCase());
  const found = name === undefined ? undefined : functions[name];
  if (typeof found !== "function") throw new Error("there is no such function");
  return found as (...args: unknown[]) => Promise<unknown>;
}

// positional are the arguments of orval's functions.
function positional(call: Call, options: unknown): unknown[] {
  const args: unknown[] = Object.values(call.path);
  if (call.media) args.push(bodyOf(call));
  if (call.has_query) args.push(call.query);
  return [...args, options];
}

const clients: Record<string, Ask> = {
  async "openapi-fetch"(server, call) {
    const client = createClient<Record<string, never>>({ baseUrl: server });
    const ask = (client as unknown as Record<string, (route: string, init: object) => Promise<{ data?: unknown; error?: unknown }>>)[call.method];
    if (!ask) throw new Error("there is no such function");
    const form = new FormData();
    if (isForm(call)) {
      for (const [name, value] of Object.entries(bodyOf(call) as object)) {
        for (const one of Array.isArray(value) ? value : [value]) form.append(name, one);
      }
    }
    const urlencoded = call.media.startsWith("application/x-www");
    const { data, error } = await ask(call.route, {
      params: { path: call.path, query: call.query },
      headers: { ...headers(call), ...(urlencoded ? { "Content-Type": call.media } : {}) },
      ...(call.media ? { body: isForm(call) ? form : call.body } : {}),
      ...(call.answers_json ? {} : { parseAs: "arrayBuffer" }),
    });
    return data ?? error;
  },
  async heyapi(server, call) {
    heyClient.setConfig({ baseUrl: server as "/" });
    const { data, error } = (await named(heyapi, call.operation)({
      path: call.path,
      query: call.query,
      headers: call.header,
      ...(call.token ? { auth: call.token } : {}),
      ...(call.media ? { body: bodyOf(call) } : {}),
    })) as { data?: unknown; error?: unknown };
    return data ?? error;
  },
  async orval(server, call) {
    // axios' own way of Node has no Blob; in browsers nothing need be said.
    try {
      return ((await named(orval, call.operation)(...positional(call, { baseURL: server, headers: headers(call), ...(call.answers_json ? {} : { adapter: "fetch" }) }))) as { data: unknown }).data;
    } catch (fault) {
      if (axios.isAxiosError(fault) && fault.response) return fault.response.data;
      throw fault;
    }
  },
  async "orval-fetch"(server, call) {
    const plain = globalThis.fetch;
    globalThis.fetch = (path, init) => plain(server + String(path), init);
    try {
      return ((await named(orvalfetch, call.operation)(...positional(call, { headers: headers(call) }))) as { data: unknown }).data;
    } finally {
      globalThis.fetch = plain;
    }
  },
};

async function plainly(value: unknown): Promise<Returned> {
  if (value instanceof Blob) return { bytes: Buffer.from(await value.arrayBuffer()).toString("base64") };
  if (value instanceof ArrayBuffer) return { bytes: Buffer.from(value).toString("base64") };
  if (typeof value === "string") return { bytes: Buffer.from(value).toString("base64") };
  return { json: value };
}

async function main(name: string, server: string, list: string): Promise<void> {
  const ask = clients[name];
  if (!ask) throw new Error(`there is no client ${name}`);
  const calls = JSON.parse(readFileSync(list, "utf8")) as Call[];
  for (const [i, call] of calls.entries()) {
    let returned: Returned;
    try {
      returned = await plainly(await ask(`${server}/${name}/${i}`, call));
    } catch (fault) {
      returned = { error: String(fault) };
    }
    console.log(JSON.stringify(returned));
  }
}

void main(process.argv[2] ?? "", process.argv[3] ?? "", process.argv[4] ?? "");
