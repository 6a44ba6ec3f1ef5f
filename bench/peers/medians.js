// Medians of several runs of annon-bench, each given as SERVER=FILE: what a
// delivery and an idle connection cost, compared with the first server's.

import { readFileSync } from "node:fs";

const rows = new Map();
for (const run of process.argv.slice(2)) {
  const [server, file] = run.split("=");
  const { scenario, results } = JSON.parse(readFileSync(file, "utf8"));
  for (const stage of results.stages ?? []) {
    const { rate, in_flight: inFlight } = stage;
    const load = scenario === "idle" ? "idle" : rate ? `${rate} sends a second` : `${inFlight} in flight in each room`;
    if (!rows.has(load)) rows.set(load, new Map());
    const servers = rows.get(load);
    servers.set(server, [...(servers.get(server) ?? []), stage]);
  }
}

function median(values) {
  const sorted = values.filter((value) => typeof value === "number").sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const columns = ["server", "runs", "deliveries/s", "p50 ms", "p99 ms", "server s/million", "× first", "KiB/connection", "wrong"];
const show = (cells) => console.log(cells.map((cell, n) => cell.padStart(n ? columns[n].length + 2 : 14)).join(""));
const number = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : "–");

for (const [load, servers] of rows) {
  console.log(`\n${load}`);
  show(columns);
  let first;
  for (const [server, stages] of servers) {
    const of = (field) => median(stages.map(field));
    const cpu = of((stage) => stage.server_cpu_each);
    first ??= cpu;
    show([
      server,
      String(stages.length),
      number(of((stage) => stage.done_per_second), 0),
      number(of((stage) => stage.latency?.p50 / 1000), 2),
      number(of((stage) => stage.latency?.p99 / 1000), 2),
      number(cpu, 2),
      number(cpu / first, 2),
      number(of((stage) => stage.memory_per_connection / 1024), 1),
      String(stages.filter(({ wrong }) => wrong > 0).length),
    ]);
  }
}
