import { useState } from 'react'
import { greatestOf } from '#contract/shared/extremes.ts'
import { messageText } from '#web/text/message.ts'
import { problemText } from '#web/text/problem.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'

/** A car that has lost this much of its speed within the last readings is slowing. */
const slowingKmh = 10
const readings = 6

/** Returns the speed of a car with its unit, and whether it is slowing: slowing: 64 km/h. Null if it is not known. */
export function useSpeedText(kmh: number | null): string | null {
  const [recent, setRecent] = useState<readonly number[]>([])
  if (kmh !== null && kmh !== recent.at(-1)) setRecent([...recent, kmh].slice(-readings))
  if (kmh === null) return null
  const text = `${wholeNumber(kmh)} ${messageText.kmh}`
  const isSlowing = kmh > 0 && greatestOf(recent) - kmh >= slowingKmh && recent.at(-2) !== undefined
  return isSlowing ? problemText.slowing(text) : text
}
