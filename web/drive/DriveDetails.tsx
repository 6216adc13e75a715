import { lazy, type RefObject, Suspense } from 'react'
import { useParams } from 'react-router'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import { isPitCall } from '#contract/shared/messageTypes.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { DriveLaps } from './DriveLaps.tsx'
import styles from './DriveScreen.module.css'
import { NoGps } from './NoGps.tsx'
import { phoneChecks, phoneFaultsOf } from './phoneChecks.ts'
import { RaceOver } from './RaceOver.tsx'
import { StandingButtons, useStandingTap } from './StandingButtons.tsx'
import { Takeover, Waiting } from './Takeover.tsx'
import type { AnsweringState } from './useAnswering.ts'
import type { Device } from './useDevice.ts'
import type { StopOnGlass } from './useGlass.ts'
import { usePhoneInput } from './usePhoneInput.ts'
import { usePhoneState } from './usePhoneState.ts'
import { type Gps, useGps } from './usePosition.ts'
import { useReporting } from './useReporting.ts'
import { useStandstill } from './useStandstill.ts'
import { useSteadyGps } from './useSteadyGps.ts'
import type { TakeoverState } from './useTakeover.ts'
import { useSpokenMessages } from './useVoice.ts'

// Loaded at standstill, when the driver has time for it.
const GetReady = lazy(async () => ({
  default: (await import('./GetReady.tsx').catch(reloadWhenReachable)).GetReady,
}))

interface Props {
  sessionId: string
  screen: RefObject<HTMLElement | null>
  gps: Gps
  online: boolean
  device: Device
  shown: DriverMessageState
  answering: AnsweringState
  linkOff: boolean
  /** False while Get ready is open, or another phone is in the car. */
  mayAnswer: boolean
  takeover: TakeoverState
  onStop: (stop: StopOnGlass) => void
  isReadying: boolean
  /** Opens or closes Get ready. */
  onReadying: (open: boolean) => void
  /** Called when Get ready flashes, and when that ends. */
  onFlash: (flashes: boolean) => void
}

/**
 * The part of the drive screen that loads after the first paint: reports to the team, laps, the voice, and the
 * controls at standstill. The message, the speed and the driver's answers do not depend on it.
 */
export function DriveDetails(props: Props) {
  const { sessionId, screen, gps, online, device, shown, answering, linkOff, mayAnswer } = props
  const { takeover, isReadying, onStop, onReadying, onFlash } = props
  const { teamId = '' } = useParams()
  const fixes = useReporting(sessionId, gps)
  const gpsState = useGps(gps, ({ state }) => state)
  const { input, again } = usePhoneInput({ gps, online, device, isReadying })
  usePhoneState(sessionId, useSteadyGps(gpsState), phoneFaultsOf(phoneChecks(input)))
  const standing = useStandstill(gps)
  useSpokenMessages(shown)
  const hasMessage = shown.message !== null && shown.message.type !== null && !shown.isWithheld
  const view = linkOff ? null : answering.view
  const isFree = mayAnswer && view === null && (!hasMessage || answering.isAnswered)
  // The driver may change while PIT is shown, which called the car in. Other messages must be acknowledged first.
  const isRead = shown.copied || isPitCall(shown.message?.type)
  const isInCar = takeover.waitsFor === null
  const mayChangeDriver = isInCar && (isFree || (mayAnswer && view === null && isRead))
  // A read message must not keep a driver in the car: it may stay until long after the race.
  const mayLeave = isFree || (mayAnswer && view === null && shown.copied)
  const isTapped = useStandingTap(screen, gps, mayLeave)
  // These need a repair, which `NoGps` shows; a lost position returns by itself, so the laps stay.
  const hasNoGps = isFree && (gpsState === 'denied' || gpsState === 'missing')
  return (
    <>
      <DriveLaps
        sessionId={sessionId}
        fixes={fixes}
        gps={gps}
        visible={isFree && !hasNoGps}
        standing={standing}
        isTapped={isTapped}
        {...{ shown, onStop, mayChangeDriver }}
        message={hasMessage ? shown.message.version : null}
      />
      <Takeover sessionId={sessionId} other={takeover.asked} onWait={takeover.wait} />
      <Waiting own={sessionId} other={takeover.waitsFor} {...takeover} />
      {isInCar && mayLeave && <RaceOver sessionId={sessionId} isStanding={standing} />}
      {isFree && <NoGps gps={gps} input={input} />}
      <StandingButtons
        leave={isTapped || (takeover.asked !== null && standing)}
        checks={isTapped && isFree}
        mayLeave={mayLeave || takeover.asked !== null}
        onChecks={() => onReadying(true)}
      />
      {/* Below Get ready, whose buttons it would cover. */}
      {linkOff && (
        <output className={styles.line} data-link="off">
          {dataLinkText.onGlass}
        </output>
      )}
      <Suspense>
        {isReadying && takeover.asked === null && (
          <GetReady
            {...{ sessionId, teamId, input, device, linkOff, onFlash }}
            onAgain={again}
            onDrive={() => onReadying(false)}
          />
        )}
      </Suspense>
    </>
  )
}
