import { useEffect, useState } from 'react'
import { laneName } from '#web/message/laneName.ts'
import { isRealCar } from '#web/message/lanes.ts'
import { wallText } from '#web/text/wall.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { type Choice, choiceOf, chosenLane } from './chosenLane.ts'
import { type Digits, digitOf, laneOfDigit, laneOfNumber, withDigits } from './digits.ts'
import type { CarLane, Lanes } from './useLanes.ts'

/** All cars stay chosen for this time. */
export const allForMs = 5000

/** All cars, as the choice of the keys. */
const allCars = {}

/** The topic of toasts about a key that chose no car. */
const keyTopic = 'wall-key'

/** Returns the car, or all cars, that the keys of the wall send to, and the keys that choose. */
export function useWallChoice({ lanes = [], cars }: Pick<Lanes, 'lanes' | 'cars'>) {
  const [choice, setChoice] = useState<Choice | null>(null)
  const [all, setAll] = useForAWhile()
  const [shownDigits, setDigits] = useState<Digits>(new Map())
  const digits = withDigits(shownDigits, lanes, cars)
  if (digits !== shownDigits) setDigits(digits)
  const toasts = useToasts()
  const selected = chosenLane(choice, lanes)
  // Stays chosen when a car that comes before it in the team's order starts.
  if (selected && selected.id !== choice?.id) setChoice(choiceOf(selected))
  const choose = (lane: CarLane) => {
    setChoice(choiceOf(lane))
    setAll(0)
  }
  const show = (lane: CarLane | undefined) => {
    if (!lane) return false
    // Space must not press what had the focus before, such as the clock.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    choose(lane)
    document.querySelector(`[data-lane="${lane.id}"]`)?.scrollIntoView({ block: 'nearest' })
    return true
  }
  const keys = {
    chosen: all ? allCars : choice,
    one: choice,
    onDigit: (digit: number, typed: string) => {
      const lane = laneOfNumber(lanes, typed) ?? laneOfDigit(digits, lanes, digit)
      if (digit === 0 && !lane) {
        if (lanes.filter(isRealCar).length < 2) return show(lanes.find(isRealCar))
        setAll(allForMs)
        return true
      }
      if (show(lane)) {
        toasts.dismiss(keyTopic)
        return true
      }
      toasts.error(wallText.noCarIs(digit), carsLike(digit, digits, lanes), keyTopic)
      return false
    },
    onStep: (by: number) => {
      if (selected) show(lanes[lanes.indexOf(selected) + by])
      else show(by > 0 ? lanes[0] : lanes.at(-1))
    },
    onIgnored: () => toasts.error(wallText.keyIgnored, wallText.chooseAgain, keyTopic),
  }
  return { selected, all, setAll, digits, choose, keys }
}

/** Names the digits of the cars whose number begins with this one, else of all. */
function carsLike(digit: number, digits: Digits, lanes: readonly CarLane[]): string {
  const numbered = lanes.map(lane => ({ ...laneName(lane.session), digit: digitOf(digits, lane) }))
  const alike = numbered.filter(({ plate }) => plate.startsWith(String(digit)))
  const named = (alike.length > 0 ? alike : numbered).filter(car => car.digit !== null)
  return wallText.carsAre(named.map(car => wallText.carIs(car.full, String(car.digit))))
}

/** A time that runs. A time that is started again is another one. */
export interface Running {
  readonly forMs: number
  readonly number: number
}

/** Returns the time that runs, and a function that starts it, again if it runs, and ends it with 0. */
function useForAWhile(): [Running | null, (forMs: number) => void] {
  const [started, setStarted] = useState<Running>({ forMs: 0, number: 0 })
  const isRunning = started.forMs > 0
  const start = (forMs: number) => setStarted(({ number }) => ({ forMs, number: number + 1 }))
  useEffect(() => {
    if (started.forMs === 0) return
    const timer = setTimeout(() => setStarted({ ...started, forMs: 0 }), started.forMs)
    return () => clearTimeout(timer)
  }, [started])
  return [isRunning ? started : null, start]
}
