import type { GhostStop } from '#racing/timing/ghostStop.ts'
import { timingText } from '#web/text/timing.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { behindText, lossText, placesText } from './ghostFigures.ts'

interface Props {
  number: string
  ghost: GhostStop
  /** True if the table has a column of owed stops. */
  hasOwed: boolean
}

/** The place of a car of the team if it stopped now, in hollow letters and dashed lines. */
export function GhostRow({ number, ghost, hasOwed }: Props) {
  return (
    <tr data-ghost>
      <th scope="row">{placesText(ghost)}</th>
      <td>
        <CarPlate number={number} outlined />
      </td>
      <td colSpan={3}>
        {timingText.ifPitsNow(number)}
        <b>{behindText(ghost)}</b>
      </td>
      <td colSpan={hasOwed ? 5 : 4} data-right data-wide>
        {timingText.stop(lossText(ghost.loss))}
      </td>
    </tr>
  )
}
