/** The lines with which every report begins: what it was measured on. */
export function about({ cores, cpu, memoryGiB, loadAverage, node }, { server_version, fsync, synchronous_commit }) {
  return [
    `${cores} × ${cpu}, ${memoryGiB} GiB, load ${loadAverage.toFixed(1)} at the start, Node ${node}`,
    `Postgres ${server_version}, fsync ${fsync}, synchronous_commit ${synchronous_commit}`,
  ];
}

export const section = (title, body) => `\n### ${title}\n\n${body}\n`;
