import { Money } from "../../parts/money";
import { Section } from "../../parts/section";
import type { Summary } from "../../views";
import { count, say } from "../../text";

type Band = Summary["ageing"][number];

const bandName = ({ from, to }: Band) =>
  to == null || to < 0 ? say("{from} days and more", { from }) : say("{from} to {to} days", { from, to });

/** How long the money has been at risk, as the service counted it: a table with bars. */
export function Ageing({ summary }: { summary: Summary }) {
  const bands = summary.ageing;
  const most = Math.max(...bands.map((b) => b.amount), 0);
  return (
    <Section title={say("Age of the money at risk")} class="card ageing">
      {most === 0 ? (
        <p class="soft">{say("Nothing is at risk.")}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{say("Since the due date")}</th>
              <th scope="col" class="bar-cell">
                <span class="unseen">{say("Bar")}</span>
              </th>
              <th scope="col" class="num">
                {say("Orders")}
              </th>
              <th scope="col" class="num">
                {say("At risk")}
              </th>
            </tr>
          </thead>
          <tbody>
            {bands.map((b) => (
              <tr key={b.from}>
                <th scope="row">{bandName(b)}</th>
                <td class="bar-cell">
                  <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={b.amount > 0 ? Math.max(1, (100 * b.amount) / most) : 0} height="10" />
                  </svg>
                </td>
                <td class="num">{count(b.orders)}</td>
                <td class="num">
                  <Money amount={b.amount} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
