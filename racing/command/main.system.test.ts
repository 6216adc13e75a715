import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { trackOf } from '#contract/shared/track.ts'
import { programArguments } from '#testing/bundleThreads.ts'
import { temporaryDirectory } from '#testing/database/database.ts'
import { driveAround } from '#testing/drives.ts'

const run = promisify(execFile)

/** Runs the command; resolves with its exit code and output. */
async function laps(...args: string[]) {
  const program = await programArguments(join(import.meta.dirname, 'main.ts'))
  return run(process.execPath, [...program, ...args]).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

test('npm run laps prints the circuit and laps of a recording, or the reason why not', async () => {
  await using directory = await temporaryDirectory()
  const inFolder = (name: string) => join(directory.dataDir, name)
  const rows = driveAround(zolder, { laps: 4, hz: 1 }).map(
    ({ atMs, latitude, longitude, speedMps }) =>
      [atMs / 1000, latitude, longitude, speedMps].join(','),
  )
  const header = 't_s,latitude_deg,longitude_deg,speed_mps'
  await writeFile(inFolder('drive.csv'), [header, ...rows].join('\n'))
  await writeFile(inFolder('parked.csv'), [header, ...rows.slice(0, 20)].join('\n'))
  await writeFile(inFolder('text.csv'), 'hello')
  const line = '50.98887,5.25531'

  const [json, table, passes, parked, parkedJson, unreadable, missing, wrong, far] =
    await Promise.all([
      laps(inFolder('drive.csv'), '--line', line, '--json'),
      laps(inFolder('drive.csv'), '--line', line),
      laps(inFolder('drive.csv'), '--line', line, '--passes'),
      laps(inFolder('parked.csv')),
      laps(inFolder('parked.csv'), '--json'),
      laps(inFolder('text.csv')),
      laps(inFolder('none.csv')),
      laps(inFolder('drive.csv'), '--line', 'here'),
      laps(inFolder('drive.csv'), '--line', '50.9,5.2'),
    ])

  const report = JSON.parse(json.stdout)
  expect(report.circuit).toMatchObject({ direction: 'clockwise', closed: true })
  // Moving the line does not replace the shipped circuit.
  expect(Math.abs(report.circuit.lengthM - trackOf(zolder.outline).lengthM)).toBeLessThan(1)
  expect(report.circuit.line).toHaveLength(2)
  const full = report.laps.filter(({ kind }: { kind: string }) => kind === 'full')
  expect(full.length).toBeGreaterThanOrEqual(2)
  for (const { timeMs, isSeen } of full) {
    expect(Math.abs(timeMs - 95_926)).toBeLessThan(50)
    expect(isSeen).toBe(true)
  }
  expect(report.gpsPoor).toBe(false)
  expect(table.stdout).toContain('1:35.9')
  expect(passes.stdout).toContain(table.stdout.trimEnd())
  expect(passes.stdout.match(/gap 1\.0 s .* begins lap \d/g)?.length).toBeGreaterThanOrEqual(3)
  expect(parked).toMatchObject({ code: 0, stdout: 'The recording closes no lap above 10 km/h.\n' })
  expect(parkedJson.code).toBe(0)
  expect(JSON.parse(parkedJson.stdout)).toEqual({
    circuit: { lengthM: null, direction: null, line: null, closed: false },
    laps: [],
    stopped: null,
    gpsPoor: false,
  })
  expect(unreadable).toMatchObject({ code: 1, stdout: '' })
  expect(unreadable.stderr).toContain('needs the columns')
  expect(missing.code).toBe(1)
  expect(missing.stderr).toContain('cannot be read')
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('--line needs a latitude')
  expect(far.code).toBe(1)
  expect(far.stderr).toContain('m from the circuit. Give a position on the circuit.')
})
