import type { Session } from '#contract/sessions.ts'
import { SwitchLinkOn } from '#web/race/SwitchDataLink.tsx'
import { hoursAndMinutes } from '#web/race/timeOfDay.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { AnswerPlate } from '#web/ui/board/AnswerPlate.tsx'

interface Props {
  session: Pick<Session, 'id' | 'car' | 'dataLink' | 'dataLinkOff'>
  /** False for viewers and televisions. */
  maySend: boolean
  className: string | undefined
}

/** Shown on a board or a lane instead of the message: when and by whom the data link was switched off, and a switch. */
export function LinkOff({ session, maySend, className }: Props) {
  const { dataLinkOff } = session
  return (
    <div className={className}>
      <AnswerPlate kind="link-off">{dataLinkText.isOff}</AnswerPlate>
      <p>
        {dataLinkOff && dataLinkText.since(hoursAndMinutes(dataLinkOff.at), dataLinkOff.by)}{' '}
        <span>{dataLinkText.nothingReaches}</span>
      </p>
      {maySend && <SwitchLinkOn session={session} isShort />}
    </div>
  )
}
