import { dataLinkText } from '#web/text/dataLink.ts'
import { AnswerPlate } from '#web/ui/board/AnswerPlate.tsx'
import { SwitchLinkOn } from './SwitchLinkOn.tsx'

interface Props {
  sessionId: string
  /** False for viewers and televisions. */
  maySend: boolean
  className: string | undefined
}

/** On a board or a lane, in place of the message while the data link is off, with the way back. */
export function LinkOff({ sessionId, maySend, className }: Props) {
  return (
    <div className={className}>
      <AnswerPlate kind="link-off">{dataLinkText.isOff}</AnswerPlate>
      <p>{dataLinkText.nothingReaches}</p>
      {maySend && <SwitchLinkOn sessionId={sessionId} isShort />}
    </div>
  )
}
