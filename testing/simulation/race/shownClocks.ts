import type { LiveSession } from '#client/channel/sessionState.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { currentStop } from '#racing/race/currentStop.ts'
import { stintBoard } from '#web/drive/stintBoard.ts'
import { raceFigure } from '#web/race/raceFigure.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { stintFigures } from '#web/race/stintFigures.ts'
import { stopFigure } from '#web/race/stopFigure.ts'
import { pitStopText } from '#web/text/pitStop.ts'
import { stintBoardText } from '#web/text/stintBoard.ts'
import { contactOf } from '#web/wall/contact.ts'
import { stintCells } from '#web/wall/stintCells.ts'

/** Clocks of one car in seconds, read from a screen; null if the screen has no such clock, or hides it. */
export interface ShownClocks {
  readonly raceLeftS: number | null
  readonly stintS: number | null
  /** Rest of the stint or, if it is shorter, of the driver's time in the race. */
  readonly leftS: number | null
  readonly inPitsS: number | null
  /** 0 at DONE. */
  readonly doneInS: number | null
}

/** Reads the clocks of the driver's screen, with the visits to the pits that its phone knows. */
export function driverClocks(race: CarRace, nowMs: number): ShownClocks {
  const { stint } = stintBoard(carStrategy(race, nowMs)) ?? {}
  const stop = currentStop(race, nowMs)
  const figure = stop && stopFigure(stop, nowMs)
  const isOver = stint?.left?.word === stintBoardText.over
  return {
    raceLeftS: secondsIn(raceFigure(race, nowMs)?.value),
    stintS: secondsIn(stint?.time),
    leftS: secondsIn(stint?.left && (isOver ? '\u2212' : '') + stint.left.time),
    inPitsS: secondsIn(figure?.elapsed),
    doneInS: figure?.isDone ? 0 : secondsIn(figure?.rest?.value),
  }
}

/** Reads the clocks of the message screen. */
export function messageClocks(race: CarRace, nowMs: number): ShownClocks {
  const figures = stintFigures(race, { lapTiming: true, gpsPoor: false }, nowMs)
  return {
    raceLeftS: secondsIn(raceFigure(race, nowMs)?.value),
    stintS: null,
    leftS: secondsIn(figures?.stint.value),
    inPitsS: null,
    doneInS: isDoneIn(figures?.pit.value) ? 0 : secondsIn(figures?.pit.value),
  }
}

/** Reads the clocks of a car on the pit wall. */
export function wallClocks(race: CarRace, nowMs: number, live: LiveSession): ShownClocks {
  const { text } = contactOf(live, nowMs, race)
  return {
    raceLeftS: secondsIn(raceFigure(race, nowMs)?.value),
    stintS: null,
    leftS: secondsIn(stintCells(race, { lapTiming: true, isOutdated: false }, nowMs)?.stint.value),
    inPitsS: secondsIn(/In pits ([\d:]+)/.exec(text)?.[1]),
    doneInS: isDoneIn(text) ? 0 : secondsIn(/(?:done|leave) in ([\d:]+)/.exec(text)?.[1]),
  }
}

/** Returns whether a text contains the word of a minimum that is done. */
function isDoneIn(text = ''): boolean {
  const { done, leave } = pitStopText
  return [done, leave].some(word => text.includes(word.toUpperCase()))
}

/** Returns the seconds of a time such as 1:02:03, with a minus beyond a limit; null for other texts. */
export function secondsIn(text: string | null | undefined): number | null {
  const found = /^(\u2212?)((?:\d+:)*\d+:\d\d)$/.exec(text ?? '')
  if (!found) return null
  const seconds = (found[2] ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return found[1] ? -seconds : seconds
}
