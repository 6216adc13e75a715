import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import type { Message } from '#contract/messages.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { DriveLaps } from './DriveLaps.tsx'
import styles from './DriveScreen.module.css'
import { LeaveDrive } from './LeaveDrive.tsx'
import { Takeover } from './Takeover.tsx'
import type { AnsweringState } from './useAnswering.ts'
import type { OtherPhone } from './useOtherPhone.ts'
import { usePhoneState } from './usePhoneState.ts'
import { type Gps, useGps } from './usePosition.ts'
import { useReporting } from './useReporting.ts'
import { useStandstill } from './useStandstill.ts'
import { useSteadyGps } from './useSteadyGps.ts'
import { useSpokenMessages } from './useVoice.ts'

interface Props {
  sessionId: string
  gps: Gps
  shown: DriverMessageState
  answering: AnsweringState
  linkOff: boolean
  /** False while the checks before the start are open, or another phone is in the car. */
  mayAnswer: boolean
  /** Another phone that is in the car, while this one says so; null otherwise. */
  takeover: OtherPhone | null
  /** The message, also while something covers it. */
  obeyable: Message | null
  /** Called with the version of a message that the stop takes the place of; null for none. */
  onObeyed: (version: number | null) => void
  /** Lets the driver wait for the pit exit. */
  onWait: () => void
}

/**
 * Everything on the drive screen that can wait until it is loaded: reports to the team, laps, the voice and the Leave
 * button. The word, the speed, the checks and the driver's answers do not wait for its code.
 */
export function DriveDetails(props: Props) {
  const { sessionId, gps, shown, answering, linkOff, mayAnswer, takeover, onWait } = props
  const { obeyable, onObeyed } = props
  const fixes = useReporting(sessionId, gps)
  usePhoneState(sessionId, useSteadyGps(useGps(gps, ({ state }) => state)))
  const standing = useStandstill(gps)
  useSpokenMessages(shown)
  const hasMessage = shown.message !== null && shown.message.type !== null && !shown.isWithheld
  const view = linkOff ? null : answering.view
  const isFree = mayAnswer && view === null && (!hasMessage || answering.isAnswered)
  // The driver may change while PIT is shown, which called the car in. Other messages must be acknowledged first.
  const isRead = shown.copied || shown.message?.type === 'Pit'
  const mayChangeDriver = isFree || (mayAnswer && view === null && isRead)
  return (
    <>
      <DriveLaps
        sessionId={sessionId}
        fixes={fixes}
        gps={gps}
        visible={isFree}
        standing={standing}
        obeyable={obeyable}
        onObeyed={onObeyed}
        mayChangeDriver={mayChangeDriver && answering.plate === null}
        message={hasMessage ? shown.message.version : null}
      />
      <Takeover sessionId={sessionId} other={takeover} onWait={onWait} />
      {standing && (takeover || (isFree && answering.plate === null)) && <LeaveDrive />}
      {linkOff && (
        <output className={styles.line} data-link="off">
          {dataLinkText.car}
        </output>
      )}
    </>
  )
}
