import { isDeepStrictEqual } from 'node:util'
import { readRMonitorLine } from '#racing/timing/rmonitorLine.ts'
import { replayedFeed } from '#racing/timing/timingFeed.ts'
import { timeText } from '#racing/timing/updateLines.ts'

/** The newest lines of a source by what they are about, as it repeats them to a new connection. */
class Board {
  readonly #lines = new Map<string, Map<string, string>>()
  #run: string | null = null

  add(line: string) {
    const fields = line.split(',')
    const [command = '', first = '', second = ''] = fields
    // It repeats all that is on the board.
    if (command === '$I') this.#lines.clear()
    if (command === '$B' && line !== this.#run) {
      // A new connection repeats the order before the run, and between two runs the result stays on the board.
      if (this.#run !== null && first !== '95')
        for (const order of ['$G', '$H']) this.#lines.delete(order)
      this.#run = line
    }
    const key = command === '$G' || command === '$H' ? second : first
    const lines = this.#lines.get(command) ?? new Map<string, string>()
    const of = command === '$B' || command === '$F' ? '' : key
    // The newer line of two cars in one position counts.
    lines.delete(of)
    this.#lines.set(command, lines.set(of, line))
  }

  /** In the order of Orbits for a new connection, or in that of a reset. */
  repeated(isReset: boolean): string[] {
    const order = isReset
      ? ['$A', '$COMP', '$B', '$C', '$G', '$H', '$F']
      : ['$H', '$G', '$B', '$A', '$COMP', '$C', '$E', '$F']
    return order.flatMap(command => [...(this.#lines.get(command)?.values() ?? [])])
  }
}

/**
 * Returns a feed whose connection was cut at a line: some lines are lost, the one at the cut in part. Then a new connection
 * repeats everything that the source shows.
 */
function cutFeed(
  lines: readonly string[],
  { at, lost, isReset }: { at: number; lost: number; isReset: boolean },
): string[] {
  const board = new Board()
  for (const received of lines.slice(0, at + lost)) {
    const line = received.trim()
    if (readRMonitorLine(line)) board.add(line)
  }
  return [
    ...lines.slice(0, at),
    (lines[at] ?? '').slice(0, 7),
    '$I,"",""',
    ...board.repeated(isReset),
    ...lines.slice(at + lost),
  ]
}

/** Whether the final standings of a feed are the last lines `$G` of each run, read by themselves. */
export function hasLastLines(lines: readonly string[]): boolean {
  const runs: Map<string, string>[] = []
  let [rows, run] = [new Map<string, string>(), '']
  for (const line of lines.map(each => each.trim())) {
    const [, of = ''] = /^\$B,(\d+,.*)$/.exec(line) ?? []
    if (of !== '' && run !== '' && of !== run) {
      if (!run.startsWith('95,')) runs.push(rows)
      rows = new Map()
    }
    run = of || run
    const [, id = '', laps, total = ''] = /^\$G,\d+,"(.*?)",(-?\d*),"(.*)"$/.exec(line) ?? []
    if (id !== '') rows.set(id, `${laps} ${total.startsWith('00:59:59.999') ? '' : total}`)
  }
  if (!run.startsWith('95,')) runs.push(rows)
  const totals = replayedFeed(lines.join('\n'))
    .sessions()
    .map(({ standings }) =>
      standings.map(
        ({ laps, totalMs }) => `${laps ?? ''} ${totalMs === null ? '' : timeText(totalMs)}`,
      ),
    )
  const sorted = (texts: Iterable<string>) => [...texts].sort()
  return isDeepStrictEqual(
    totals.map(sorted),
    runs.map(each => sorted(each.values())),
  )
}

/** Whether the final standings of a feed are the same after a cut of its connection at a random place. */
export function equalAfterCuts(
  lines: readonly string[],
  { cuts, random }: { cuts: number; random: () => number },
): number {
  const finals = (feed: readonly string[]) =>
    replayedFeed(feed.join('\n'))
      .sessions()
      .map(({ name, standings }) => ({ name, standings }))
  const whole = finals(lines)
  let equal = 0
  for (let cut = 0; cut < cuts; cut++) {
    const at = Math.floor(random() * lines.length)
    const lost = random() < 0.3 ? 0 : Math.floor(random() * 60)
    const isReset = random() < 0.5
    if (isDeepStrictEqual(finals(cutFeed(lines, { at, lost, isReset })), whole)) equal += 1
  }
  return equal
}

/** Generates a feed of two runs and the boards before, between and after them. */
export function generatedFeed(random: () => number): string[] {
  const cars = Array.from({ length: 12 }, (_, car) => ({ id: `${car}`, lapMs: 90_000 + 700 * car }))
  const names = cars.flatMap(({ id }) => [
    `$A,"${id}","${Number(id) + 10}",${id},"","","",${Number(id) % 2}`,
    `$COMP,"${id}","${Number(id) + 10}",${Number(id) % 2},"","","",""`,
  ])
  const lines = [...names, '$C,0,"GT3"', '$C,1,"GT4"']
  for (const run of ['5,"Race, 1"', '6,"Race 2"']) {
    lines.push(...cars.map(({ id }, index) => `$G,${index + 1},"${id}",,"00:00:00.000"`))
    lines.push('$B,95,"Board"', '$F,9999,"00:00:00","13:59:00","00:00:00","      "', `$B,${run}`)
    const rows = cars.map(({ id, lapMs }) => ({ id, lapMs, laps: 0, totalMs: 0 }))
    for (let atMs = 0; atMs < 900_000; atMs += 1000) {
      for (const row of rows) {
        const lapMs = Math.round(row.lapMs * (1 + random() * 0.05))
        if (row.totalMs + lapMs > atMs) continue
        row.laps += 1
        row.totalMs += lapMs
        rows.sort((a, b) => b.laps - a.laps || a.totalMs - b.totalMs)
        lines.push(
          `$J,"${row.id}","${timeText(lapMs)}","${timeText(row.totalMs)}"`,
          ...rows.map(({ id, laps, totalMs }, index) => {
            return `$G,${index + 1},"${id}",${laps || ''},"${timeText(totalMs)}"`
          }),
          `$H,1,"${row.id}",${row.laps},"${timeText(lapMs)}"`,
        )
      }
      const flag = atMs < 850_000 ? 'Green ' : 'Finish'
      lines.push(`$F,9999,"00:00:10","14:00:00","00:00:00","${flag}"`)
    }
    lines.push('$B,95,"Board"', '$F,0,"00:00:00","14:16:00","00:00:00","      "')
  }
  return lines
}
