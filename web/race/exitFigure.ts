import { ruleOfVisit } from '#racing/race/currentStop.ts'
import { isNoStop } from '#racing/race/noStop.ts'
import { earlyMs, type Visit } from '#racing/race/stopClock.ts'
import { pitExitText } from '#web/text/pitExit.ts'
import { pitStopText } from '#web/text/pitStop.ts'
import { counterText } from '#web/ui/ages.ts'
import { shortStop } from './shortStop.ts'
import type { CarRace } from './shownCarRace.ts'
import { downTo } from './stopFigure.ts'

/** A fault of a finished visit to the pits, for the team: Left 0:10 early, 2:50 of 3:00. No stop seen, 0:36 in the pits. */
export interface ExitFigure {
  readonly word: string
  readonly time: string
  /** The time, and where it was measured. */
  readonly measured: string
}

/** Returns how much too short a visit was, or that it was no stop; null otherwise. `isAbout`: no pit-out line is known. */
export function exitFigure(race: CarRace, visit: Visit, isAbout: boolean): ExitFigure | null {
  const rule = ruleOfVisit(race, visit)
  const early = earlyMs(visit, rule)
  if (early !== null && rule) {
    const { minimumMs } = rule
    const { time: stopped, missing } = shortStop(early, minimumMs)
    const time = pitStopText.of(stopped, downTo(minimumMs))
    return {
      word: pitExitText.leftEarly(missing, isAbout),
      time,
      measured: pitExitText.atLine(time),
    }
  }
  if (visit.endedAt === null || !isNoStop(race, visit)) return null
  const time = pitExitText.inPits(counterText(visit.endedAt - visit.startedAt))
  return { word: pitExitText.noStop, time, measured: time }
}
