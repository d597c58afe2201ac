// One order: its money, its days, the courier's lines, and what to do.
import { useMemo, useState } from "preact/hooks";
import { Button, ShowAll } from "../../parts/button";
import { Copy } from "../../parts/copy";
import { Dialog } from "../../parts/dialog";
import { Fact } from "../../parts/fact";
import { FlagName } from "../../parts/flag";
import { Icon } from "../../parts/icon";
import { Money } from "../../parts/money";
import { courierName } from "../../session";
import type { CourierLine, OrderResult } from "../../views";
import { date, say } from "../../text";
import { advice } from "./advice";
import { matchMode } from "./columns";
import type { Findings } from "./findings";
import { Sentence } from "./sentence";

interface DetailProps {
  findings: Findings;
  row: number; // of the answer; -1: there is no such order
  name: string;
  at: number; // among the orders shown; -1: it is not among them
  count: number;
  onMove: (at: number) => void;
  onClose: () => void;
}

export function Detail({ findings, row, name, at, count, onMove, onClose }: DetailProps) {
  const order = useMemo(() => (row < 0 ? null : findings.orders.object<OrderResult>(row)), [findings, row]);
  const steps = at >= 0 && count > 1 && (
    <>
      <Button disabled={at === 0} onClick={() => onMove(at - 1)}>
        <Icon name="up" />
        {say("Previous")}
      </Button>
      <Button disabled={at === count - 1} onClick={() => onMove(at + 1)}>
        <Icon name="down" />
        {say("Next")}
      </Button>
      <span class="soft small">{say("{at} of {n}", { at: at + 1, n: count })}</span>
    </>
  );
  return (
    <Dialog title={say("Order {name}", { name })} class="side" onClose={onClose} actions={steps}>
      {order ? <Order key={row} order={order} findings={findings} /> : <p>{say("No order of these results has this name.")}</p>}
    </Dialog>
  );
}

function Order({ order, findings }: { order: OrderResult; findings: Findings }) {
  const todo = advice(order.flag);
  return (
    <div class="detail stack">
      <div class="stack tight">
        <p class="detail-flag">
          <FlagName flag={order.flag} />
        </p>
        <p>
          <Sentence text={order.flag_reason} />
        </p>
      </div>
      <dl class="amounts">
        <Fact term={say("Due")}>
          <Money amount={order.cod_amount} />
        </Fact>
        <Fact term={say("Remitted")}>
          <Money amount={order.remitted} />
        </Fact>
        {order.accepted_charges && (
          <Fact term={say("Accepted charges")}>
            <Money amount={order.accepted_charges} />
          </Fact>
        )}
        <Fact term={say("Shortfall")} strong={order.shortfall !== 0}>
          <Money amount={order.shortfall} />
        </Fact>
      </dl>
      {(todo || order.dispute) && (
        <section class="stack tight">
          <h3>{say("What to do")}</h3>
          {todo && <p>{todo}</p>}
          {order.dispute && (
            <div class="sentence">
              <p class="small soft">{say("Write to the courier:")}</p>
              <blockquote>
                <Sentence text={order.dispute} />
              </blockquote>
              <Copy text={order.dispute} label={say("Copy the sentence")} />
            </div>
          )}
        </section>
      )}
      <section class="stack tight">
        <h3>{say("Details")}</h3>
        <dl class="order-facts">
          <Fact term={say("AWB")}>
            {order.awb && (
              <span class="with-copy">
                <span class="figure">{order.awb}</span>
                <Copy text={order.awb} label={say("Copy the AWB")} look="plain" />
              </span>
            )}
          </Fact>
          <Fact term={say("Ordered")}>{date(order.order_date)}</Fact>
          <Fact term={say("Due by")}>{date(order.due_by)}</Fact>
          <Fact term={say("Days overdue")}>{order.days_overdue > 0 && say("{n} day|{n} days", { n: order.days_overdue })}</Fact>
          <Fact term={say("Remitted on")}>{date(order.remitted_on)}</Fact>
          <Fact term={say("UTR")}>{order.utr}</Fact>
          <Fact term={say("Order status")}>{order.status}</Fact>
          <Fact term={say("Courier's status")}>{order.courier_status}</Fact>
          <Fact term={say("Matched by")}>{!!order.lines?.length && matchMode(order.match_mode)}</Fact>
        </dl>
      </section>
      <Lines lines={order.lines ?? []} findings={findings} />
    </div>
  );
}

const firstLines = 20;

function Lines({ lines, findings }: { lines: CourierLine[]; findings: Findings }) {
  const [all, setAll] = useState(false);
  const shown = all ? lines : lines.slice(0, firstLines);
  return (
    <section class="stack tight">
      <h3>{say("The courier's lines")}</h3>
      {lines.length === 0 && <p class="soft">{say("No line of the reports names this order.")}</p>}
      <ul class="lines">
        {shown.map((line) => (
          <li key={line.report + ":" + line.line}>
            <p class="line-head">
              <span>{placeOf(line, findings)}</span>
              <Money amount={line.remitted} />
            </p>
            <dl class="order-facts">
              <Fact term={say("COD amount")}>
                <Money amount={line.cod_amount} />
              </Fact>
              <Fact term={say("AWB")}>
                <span class="figure">{line.awb}</span>
              </Fact>
              <Fact term={say("Order")}>{line.order_id}</Fact>
              <Fact term={say("Status")}>{line.status}</Fact>
              <Fact term={say("Delivered on")}>{date(line.delivered_on)}</Fact>
              <Fact term={say("Remitted on")}>{date(line.remitted_on)}</Fact>
              <Fact term={say("UTR")}>{line.utr}</Fact>
            </dl>
          </li>
        ))}
      </ul>
      {shown.length < lines.length && (
        <ShowAll onShow={() => setAll(true)}>{say("Show all {n} line|Show all {n} lines", { n: lines.length })}</ShowAll>
      )}
    </section>
  );
}

/** Where a line stands: its report, the courier of that, and the line of the file. */
function placeOf(line: CourierLine, { reports = [] }: Findings): string {
  const courier = reports.find((r) => r.report === line.report)?.courier;
  const values = { report: String(line.report), line: String(line.line), courier: courier ? courierName(courier) : "" };
  return courier ? say("{courier}, report {report}, line {line}", values) : say("Report {report}, line {line}", values);
}
