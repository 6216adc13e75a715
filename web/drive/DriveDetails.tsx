import type { RefObject } from 'react'
import type { Driver } from '#client/driver/driver.ts'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { AnsweringView } from './AnsweringView.tsx'
import { DriveLaps } from './DriveLaps.tsx'
import styles from './DriveScreen.module.css'
import { LeaveDrive } from './LeaveDrive.tsx'
import { useAnswering } from './useAnswering.ts'
import { useConnectivity } from './useConnectivity.ts'
import { useDataLinkOff } from './useDataLinkOff.ts'
import { usePhoneState } from './usePhoneState.ts'
import { type Gps, useGps } from './usePosition.ts'
import { useReporting } from './useReporting.ts'
import { useStandstill } from './useStandstill.ts'
import { useSteadyGps } from './useSteadyGps.ts'
import { useSpokenMessages } from './useVoice.ts'

interface Props {
  sessionId: string
  gps: Gps
  driver: Driver
  shown: DriverMessageState
  screen: RefObject<HTMLElement | null>
  /** False while the checks before the start are open. */
  mayAnswer: boolean
  acknowledge: () => void
}

/**
 * Everything on the drive screen besides the word, the speed and the checks: reports to the team, laps, the Leave
 * button, and questions. The word does not wait for its code. Questions are shown by it alone, so that none appears
 * before it can be answered.
 */
export function DriveDetails(props: Props) {
  const { sessionId, gps, driver, shown, screen, mayAnswer, acknowledge } = props
  const fixes = useReporting(sessionId, gps)
  usePhoneState(sessionId, useSteadyGps(useGps(gps, ({ state }) => state)))
  const standing = useStandstill(gps)
  useSpokenMessages(shown)
  const online = useConnectivity()
  const linkOff = useDataLinkOff(sessionId)
  const answering = useAnswering({
    driver,
    sessionId,
    shown,
    screen,
    enabled: mayAnswer && !linkOff,
    acknowledge,
  })
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
        mayChangeDriver={mayChangeDriver && answering.plate === null}
        message={hasMessage ? shown.message.version : null}
      />
      {standing && isFree && answering.plate === null && <LeaveDrive />}
      {linkOff ? (
        <output className={styles.line} data-link="off">
          {dataLinkText.car}
        </output>
      ) : (
        <AnsweringView state={answering} shown={shown} online={online} gps={gps} />
      )}
    </>
  )
}
