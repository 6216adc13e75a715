import { dataLinkText } from '#web/text/dataLink.ts'
import { AnswerPlate } from '#web/ui/board/AnswerPlate.tsx'
import { SwitchLinkOn } from './SwitchLinkOn.tsx'

interface Props {
  sessionId: string
  /** False for viewers and televisions. */
  maySwitch: boolean
  className: string | undefined
}

/** In place of the message while the data link is off, with the way back. */
export function LinkOff({ sessionId, maySwitch, className }: Props) {
  return (
    <div className={className}>
      <AnswerPlate kind="link-off">{dataLinkText.isOff}</AnswerPlate>
      <p>{dataLinkText.nothingReaches}</p>
      {maySwitch && <SwitchLinkOn sessionId={sessionId} isShort />}
    </div>
  )
}
