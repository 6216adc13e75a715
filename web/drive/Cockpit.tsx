import Check from 'lucide-react/icons/check'
import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { noMessage } from '#client/channel/messageState.ts'
import type { Driver } from '#client/driver/driver.ts'
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
import { useConnectivity } from './useConnectivity.ts'
import { useDataLinkOff } from './useDataLinkOff.ts'
import { useDevice } from './useDevice.ts'
import { useDriverMessage } from './useDrive.ts'
import { useFocus } from './useFocus.ts'
import { useMediaButton } from './useMediaButton.ts'
import { useOtherPhone } from './useOtherPhone.ts'
import { useGps, usePosition } from './usePosition.ts'
import { useReceipts } from './useReceipts.ts'
import { useShownFor } from './useShownFor.ts'

// Loaded in parallel without blocking: the word comes first.
const DriveDetails = lazy(async () => ({
  default: (await import('./DriveDetails.tsx').catch(reloadWhenReachable)).DriveDetails,
}))

const GlassFlag = lazy(async () => ({
  default: (await import('./GlassFlag.tsx').catch(reloadWhenReachable)).GlassFlag,
}))

/** Display time of "Copy". */
const copyShownMs = 2000

/** Above this speed taps are accidental: do not ask which phone is in the car. */
const asksBelowKmh = 10

/** The driver's screen: message word, speed and the connection dot. */
export function Cockpit({ sessionId, driver }: { sessionId: string; driver: Driver }) {
  const online = useConnectivity()
  const gps = usePosition()
  const seen = useDriverMessage(driver)
  const other = useOtherPhone(sessionId, seen.message)
  // Orders go to the phone in the car: while that is another one, the order on this screen is outdated.
  const isCovered = other !== null
  // In the pits the stop is in place of the PIT that has called for it.
  const [obeyed, setObeyed] = useState<number | null>(null)
  const [isInPits, setInPits] = useState(false)
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
  const surface = useAcknowledging(message.version, acknowledge)
  const screen = useRef<HTMLElement>(null)
  const linkOff = useDataLinkOff(sessionId)
  const [waitsFor, setWaitsFor] = useState<number | null>(null)
  const isSlow = useGps(gps, ({ reading }) => (reading?.speedKmh ?? 0) < asksBelowKmh)
  const isFree = !other?.isAfterThis && (!isSlow || other?.from === waitsFor)
  const takeover = isFree ? null : other
  const [isReadying, setReadying] = useGetReady(type !== null)
  const mayAnswer = !isReadying && takeover === null
  const answering = useAnswering({
    driver,
    sessionId,
    shown,
    surface,
    enabled: mayAnswer && !linkOff,
    isInPits,
    acknowledge,
  })
  useMediaButton(acknowledge)
  useFocus(screen)
  const [flashesHere, flashHere] = useState(false)
  useFlashClock(flashes || flashesHere || !online, message.version)

  function acknowledge() {
    if (!flashes || !driver.message.copy()) return
    showCopy()
    device.keepReady()
  }

  return (
    <div ref={surface}>
      <Suspense>
        {!isCovered && !linkOff && <GlassFlag sessionId={sessionId} isLow={type !== null} />}
      </Suspense>
      <main
        ref={screen}
        className={`${styles.drive} ${tones.toned}`}
        aria-label={driveText.screen}
        tabIndex={-1}
        data-tone={type === null ? undefined : (message.colour ?? type.toLowerCase())}
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
            {...{ driver, flashes }}
          />
          <Speed gps={gps} />
        </div>
        <p className={styles.line} data-online={online}>
          {online ? driveText.online : driveText.offline}
        </p>
        <Copy isShown={copyShown} />
        {type !== null && answering.view === null && message.byPlan && (
          <p className={styles.byPlan}>{driveText.byPlan}</p>
        )}
        <Suspense>
          <DriveDetails
            {...{ sessionId, screen, gps, online, device, shown, answering, linkOff, mayAnswer }}
            {...{ takeover, isReadying }}
            waitsFor={takeover === null ? other : null}
            obeyable={seen}
            onObeyed={setObeyed}
            onInPits={setInPits}
            onWait={() => setWaitsFor(other?.from ?? null)}
            onReadying={setReadying}
            onFlash={flashHere}
          />
        </Suspense>
        {!linkOff && <AnsweringView state={answering} {...{ shown, gps }} />}
      </main>
    </div>
  )
}

/** Whether Get ready is open, which the address shows. Any message closes it. */
function useGetReady(hasMessage: boolean): [boolean, (open: boolean) => void] {
  const isAsked = useLocation().search.includes('checks')
  const navigate = useNavigate()
  const setOpen = (open: boolean) =>
    void navigate({ search: open ? 'checks' : '' }, { replace: true })
  const close = useEffectEvent(() => setOpen(false))
  const isReplaced = isAsked && hasMessage
  useEffect(() => {
    if (isReplaced) close()
  }, [isReplaced])
  return [isAsked && !hasMessage, setOpen]
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
