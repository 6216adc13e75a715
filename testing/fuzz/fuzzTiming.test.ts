import { expect, test } from 'vitest'
import { TimingFeed } from '#racing/timing/timingFeed.ts'
import { fuzzTiming } from './fuzzTiming.ts'
import { timingKinds } from './timingKinds.ts'

test('mutated official timing of every kind is read or skipped, and a seed repeats it', () => {
  const [first, again] = [1, 2].map(() => fuzzTiming({ seed: 1, cases: 300 }))
  expect(first?.violations).toEqual([])
  expect(first?.tried).toBe(300 * timingKinds.length)
  // Answers of RaceHero are read field by field, and a field of another type is not known.
  for (const [name, { accepted, refused }] of first?.counts ?? [])
    expect([name, accepted > 0, refused > 0 || name === 'RaceHero']).toEqual([name, true, true])
  expect(again).toEqual(first)
})

test('a feed with endless new cars, classes, runs and flags stays within its bounds', () => {
  const feed = new TimingFeed('1')
  for (let n = 0; n < 20_000; n++) {
    feed.addLine(`$A,"${n}","1",1,"","","",${n}`)
    feed.addLine(`$C,${n},"${n}"`)
    feed.addLine(`$J,"${n}","00:01:00.000","00:01:00.000"`)
    feed.addLine(`$G,${n % 999},"${n}",${n % 999},"00:01:00.000"`)
    feed.addLine(`$H,1,"${n}",1,"00:01:00.000"`)
    feed.addLine(`$F,1,"","","","${n}"`)
  }
  const [run] = feed.sessions()
  expect(run?.standings.length).toBe(2000)
  expect(run?.flags.length).toBe(10_000)
  expect(run?.laps.length).toBeLessThanOrEqual(20_000)
  for (let n = 0; n < 2000; n++) {
    feed.addLine(`$B,${n + 1000},"${n}"`)
    feed.addLine('$F,1,"","","","Green"')
  }
  expect(feed.sessions().length).toBeLessThanOrEqual(1001)
})
