import { replayedFeed } from '#racing/timing/timingFeed.ts'
import { equalAfterCuts, generatedFeed, hasLastLines } from '#testing/cutFeed.ts'
import { seeded } from '#testing/drives.ts'
import { timingRecordings } from '#testing/timingRecordings.ts'
import type { Figures } from './figures.ts'
import type { Bench } from './main.ts'

const cuts = 1000
const measuredMs = 3000

export const bench: Bench = {
  question:
    'Is the official order right at the end of each feed, and after a cut at 1,000 places, and how fast is it computed?',
  async run(): Promise<Figures> {
    const random = seeded(1)
    const recorded = timingRecordings().map(text => text.split(/\r?\n/))
    const feeds = recorded.length > 0 ? recorded : [generatedFeed(random)]
    const perFeed = Math.ceil(cuts / feeds.length)
    const equal = feeds.map(lines => equalAfterCuts(lines, { cuts: perFeed, random }))
    return {
      feeds: feeds.length,
      'feeds with wrong final standings': feeds.filter(lines => !hasLastLines(lines)).length,
      cuts: perFeed * feeds.length,
      'cuts with other standings': perFeed * feeds.length - equal.reduce((sum, n) => sum + n, 0),
      linesPerS: linesPerS(feeds),
    }
  },
}

function linesPerS(feeds: readonly (readonly string[])[]): number {
  const texts = feeds.map(lines => lines.join('\n'))
  const count = feeds.reduce((sum, { length }) => sum + length, 0)
  const startedAt = performance.now()
  let read = 0
  while (performance.now() - startedAt < measuredMs) {
    for (const text of texts) replayedFeed(text).sessions()
    read += count
  }
  return Math.round(read / ((performance.now() - startedAt) / 1000))
}
