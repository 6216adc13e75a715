import Check from 'lucide-react/icons/check'
import Maximize from 'lucide-react/icons/maximize'
import { lazy, Suspense, useMemo, useState } from 'react'
import { noMessage } from '#client/channel/messageState.ts'
import type { Driver } from '#client/driver/driver.ts'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import { mediaButton } from '#web/device/mediaButton.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { driveText } from '#web/text/drive.ts'
import tones from '#web/ui/board/tones.module.css'
import { useFlashClock } from '#web/ui/board/useFlashClock.ts'
import { AnsweringView } from './AnsweringView.tsx'
import { BoardWord } from './BoardWord.tsx'
import styles from './DriveScreen.module.css'
import { Speed } from './Speed.tsx'
import { useAcknowledging } from './useAcknowledging.ts'
import { useAnswering } from './useAnswering.ts'
import { useAwake } from './useAwake.ts'
import { useConnectivity } from './useConnectivity.ts'
import { useDataLinkOff } from './useDataLinkOff.ts'
import { useDriverMessage } from './useDrive.ts'
import { useFocus } from './useFocus.ts'
import { useMediaButton } from './useMediaButton.ts'
import { useOtherPhone } from './useOtherPhone.ts'
import { type Gps, useGps, usePosition } from './usePosition.ts'
import { type Preflight, preflightInputOf, usePreflight } from './usePreflight.ts'
import { useReceipts } from './useReceipts.ts'
import { useShownFor } from './useShownFor.ts'
import { useSound } from './useSound.ts'

// Loaded in parallel without blocking: the word comes first.
const DriveDetails = lazy(async () => ({
  default: (await import('./DriveDetails.tsx').catch(reloadWhenReachable)).DriveDetails,
}))

// Needed only before the start, when there is time to load it.
const PreflightPanel = lazy(async () => ({
  default: (await import('./PreflightPanel.tsx').catch(reloadWhenReachable)).PreflightPanel,
}))

/** Display time of "Copy". */
const copyShownMs = 2000

/** Above this speed taps are accidental: do not offer the checks, and do not ask which phone is in the car. */
const checksBelowKmh = 10

/** The driver's screen: message word, speed and the connection dot. */
export function Cockpit({ sessionId, driver }: { sessionId: string; driver: Driver }) {
  const online = useConnectivity()
  const gps = usePosition()
  const preflight = usePreflight(sessionId)
  const seen = useDriverMessage(driver)
  const other = useOtherPhone(sessionId, seen.message)
  // Orders go to the phone in the car: one that is on this screen is not for it any more.
  const isCovered = other !== null
  // In the pits the stop is in place of the PIT that has called for it.
  const [obeyed, setObeyed] = useState<number | null>(null)
  const isWithheld = isCovered || obeyed === (seen.message?.version ?? 0)
  useReceipts(driver, seen, isCovered)
  const shown = useMemo(
    () => (isWithheld ? { ...seen, isWithheld: true } : seen),
    [seen, isWithheld],
  )
  const message = shown.message ?? noMessage
  const type = shown.isWithheld ? null : message.type
  const flashes = type !== null && !shown.copied
  const [copyShown, showCopy] = useShownFor(copyShownMs)
  const device = useDevice(shown)
  const screen = useAcknowledging(message.version, acknowledge)
  const linkOff = useDataLinkOff(sessionId)
  const [waitsFor, setWaitsFor] = useState<number | null>(null)
  const isSlow = useGps(gps, ({ reading }) => (reading?.speedKmh ?? 0) < checksBelowKmh)
  const isFree = !other?.isAfterThis && (!isSlow || other?.from === waitsFor)
  const takeover = isFree ? null : other
  const mayAnswer = !preflight.open && !preflight.testing && takeover === null
  const answering = useAnswering({
    driver,
    sessionId,
    shown,
    screen,
    enabled: mayAnswer && !linkOff,
    acknowledge,
  })
  useMediaButton(acknowledge)
  useFocus(screen)
  useFlashClock(flashes || preflight.testing || !online, message.version)
  if (type !== null && preflight.open) preflight.close()
  // TEST reuses the type size of EASY.
  const testTone = preflight.testing ? 'easy' : undefined

  function acknowledge() {
    if (!flashes || !driver.message.copy()) return
    showCopy()
    device.keepReady()
  }
  function start() {
    device.start()
    preflight.start()
  }

  return (
    <main
      ref={screen}
      className={`${styles.drive} ${tones.toned}`}
      aria-label={driveText.screen}
      tabIndex={-1}
      data-tone={type === null ? testTone : (message.colour ?? type.toLowerCase())}
      data-version={message.version}
      // Support prompts wait while a message is shown: see support/web/visitor.
      data-undisturbed={type === null ? undefined : ''}
    >
      <div className={styles.middle}>
        <BoardWord
          // A question is shown by `AnsweringView`, with the zones for its answers.
          type={message.ask ? null : type}
          own={message.colour !== undefined}
          version={message.version}
          testing={preflight.testing}
          {...{ driver, flashes }}
        />
        <Speed gps={gps} />
      </div>
      <p className={styles.line} data-online={online}>
        {online ? driveText.online : driveText.offline}
      </p>
      <Copy isShown={copyShown} />
      <Suspense>
        <DriveDetails
          {...{ sessionId, gps, shown, answering, linkOff, mayAnswer, takeover }}
          obeyable={seen.message}
          onObeyed={setObeyed}
          onWait={() => setWaitsFor(other?.from ?? null)}
        />
      </Suspense>
      {!linkOff && <AnsweringView state={answering} {...{ shown, online, gps }} />}
      {type === null && !copyShown && !takeover && (
        <Checks {...{ sessionId, gps, isSlow, online, preflight, device }} onStart={start} />
      )}
    </main>
  )
}

/** The screen lock, the sound and the headset button. Browsers grant them only in a user gesture. */
function useDevice(shown: DriverMessageState) {
  const awake = useAwake()
  const sound = useSound(shown)
  const request = (wake: () => void) => () => {
    wake()
    sound.unlock()
    mediaButton.listen()
  }
  return { awake, sound, start: request(awake.start), keepReady: request(awake.keepAwake) }
}

function Copy({ isShown }: { isShown: boolean }) {
  return (
    <output className={styles.copy}>
      {isShown && (
        <>
          <Check size={28} strokeWidth={3} aria-hidden />
          {driveText.copy}
        </>
      )}
    </output>
  )
}

interface ChecksProps {
  sessionId: string
  gps: Gps
  isSlow: boolean
  online: boolean
  preflight: Preflight
  device: ReturnType<typeof useDevice>
  onStart: () => void
}

/** The start button, and the checks that it opens. */
function Checks({ sessionId, gps, isSlow, online, preflight, device, onStart }: ChecksProps) {
  const { awake, sound } = device
  const gpsState = useGps(gps, ({ state }) => state)
  // Renders with each reading only while the checks are open, which show its accuracy.
  const accuracyM = useGps(gps, ({ reading }) =>
    preflight.open ? (reading?.accuracyM ?? null) : null,
  )
  const offer = awake.offer ?? (isSlow ? driveText.checkPhone : null)
  if (!preflight.open)
    return offer === null ? null : (
      <button type="button" className={styles.start} onClick={onStart}>
        <span>
          <Maximize size={20} aria-hidden />
          {offer}
        </span>
      </button>
    )
  if (preflight.testing) return null
  return (
    <Suspense>
      <PreflightPanel
        input={{
          ...preflightInputOf(preflight),
          gps: gpsState,
          accuracyM,
          awake: awake.state,
          sound: sound.state,
          online,
        }}
        sessionId={sessionId}
        onTest={preflight.test}
        onAgain={onStart}
        onToggleSound={sound.toggle}
        onDrive={preflight.close}
      />
    </Suspense>
  )
}
