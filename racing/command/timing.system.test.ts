import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { programArguments } from '#testing/bundleThreads.ts'
import { temporaryDirectory } from '#testing/database/database.ts'

const run = promisify(execFile)

/** Runs the command; resolves with its exit code and output. */
async function timing(...args: string[]) {
  const program = await programArguments(join(import.meta.dirname, 'timing.ts'))
  return run(process.execPath, [...program, ...args]).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

const feed = `##2026-06-20 14:00:00.100
$A,"17","17",101,"Ana","Winter","",1
$C,1,"GT3"
$B,5,"Race 1"
$F,9999,"01:00:00","14:00:05","00:00:00","Green "
$J,"17","00:01:52.400","00:01:54.400"
$G,1,"17",1,"00:01:54.400"
a frame of another protocol
`

test('npm run timing prints the sessions of a recorded feed, or the reason why not', async () => {
  await using directory = await temporaryDirectory()
  const inFolder = (name: string) => join(directory.dataDir, name)
  await writeFile(inFolder('feed.txt'), feed)
  await writeFile(inFolder('text.txt'), 'hello')
  const [json, report, other, missing, wrong] = await Promise.all([
    timing(inFolder('feed.txt'), '--json'),
    timing(inFolder('feed.txt'), '--car', '17'),
    timing(inFolder('text.txt')),
    timing(inFolder('none.txt')),
    timing(),
  ])

  expect(JSON.parse(json.stdout)).toEqual({
    sessions: [
      {
        name: 'Race 1',
        flags: [{ at: '14:00:05', flag: 'Green' }],
        standings: [{ position: 1, number: '17', classPosition: 1, laps: 1, totalMs: 114_400 }],
      },
    ],
    skippedLines: 1,
  })
  expect(report.stdout).toContain('P1  car 17')
  expect(report.stdout).toContain('14:00:05  lap    1    1:52.400  P1  Green')
  expect(report.stdout).toContain('1 line skipped.')
  expect(report.stdout).not.toContain('Winter')
  expect([other.code, missing.code, wrong.code]).toEqual([1, 1, 2])
  expect(other.stderr).toContain('has no line of RMonitor')
  expect(missing.stderr).toContain('cannot be read')
  expect(wrong.stderr).toContain('Name one file.')
})
