import Check from 'lucide-react/icons/check'
import { lazy, Suspense, useRef, useState } from 'react'
import { noMessage } from '#client/channel/messageState.ts'
import type { Driver } from '#client/driver/driver.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { driveText } from '#web/text/drive.ts'
import { toneOf } from '#web/ui/board/tone.ts'
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
import { useFocus } from './useFocus.ts'
import { useGetReady } from './useGetReady.ts'
import { useGlass } from './useGlass.ts'
import { useMediaButton } from './useMediaButton.ts'
import { usePosition } from './usePosition.ts'
import { useShownFor } from './useShownFor.ts'
import { useTakeover } from './useTakeover.ts'

// Loaded in parallel without blocking: the word comes first.
const DriveDetails = lazy(async () => ({
  default: (await import('./DriveDetails.tsx').catch(reloadWhenReachable)).DriveDetails,
}))

const GlassFlag = lazy(async () => ({
  default: (await import('./GlassFlag.tsx').catch(reloadWhenReachable)).GlassFlag,
}))

/** Display time of "Copy". */
const copyShownMs = 2000

/** The driver's screen: message word, speed and the connection dot. */
export function Cockpit({ sessionId, driver }: { sessionId: string; driver: Driver }) {
  const online = useConnectivity()
  const gps = usePosition()
  const { shown, other, stop, onStop } = useGlass(sessionId, driver)
  const message = shown.message ?? noMessage
  const type = shown.isWithheld ? null : message.type
  const flashes = type !== null && !shown.copied
  const [copyShown, showCopy] = useShownFor(copyShownMs)
  const device = useDevice(shown)
  const surface = useAcknowledging(message.version, acknowledge)
  const screen = useRef<HTMLElement>(null)
  const linkOff = useDataLinkOff(sessionId)
  const takeover = useTakeover(gps, other)
  const [isReadying, setReadying] = useGetReady(type !== null)
  const mayAnswer = !isReadying && takeover.asked === null
  const answering = useAnswering({
    driver,
    sessionId,
    shown,
    surface,
    enabled: mayAnswer && !linkOff,
    stop,
    acknowledge,
  })
  useMediaButton(acknowledge)
  useFocus(screen)
  const [flashesHere, flashHere] = useState(false)
  useFlashClock(flashes || flashesHere || !online, message.version)

  function acknowledge() {
    // Also an order that is a plate on the stop, unread.
    const isPlate = type === null && stop.isInPits && other === null
    if (!(flashes || isPlate) || !driver.message.copy()) return
    showCopy()
    device.keepReady()
  }

  return (
    <div ref={surface}>
      <Suspense>
        {other === null && !linkOff && <GlassFlag sessionId={sessionId} isLow={type !== null} />}
      </Suspense>
      <main
        ref={screen}
        className={`${styles.drive} ${tones.toned}`}
        aria-label={driveText.screen}
        tabIndex={-1}
        data-tone={(type && toneOf(message)) ?? undefined}
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
          <Speed gps={gps} finish={stop.finish} />
        </div>
        <p className={styles.line} data-online={online}>
          {online ? driveText.online : driveText.offline}
        </p>
        <Copy isShown={copyShown && type !== null} />
        {type !== null && answering.view === null && message.byPlan && (
          <p className={styles.byPlan}>{driveText.byPlan}</p>
        )}
        <Suspense>
          <DriveDetails
            {...{ sessionId, screen, gps, online, device, shown, answering, linkOff, mayAnswer }}
            {...{ takeover, isReadying, onStop }}
            onReadying={setReadying}
            onFlash={flashHere}
          />
        </Suspense>
        {!linkOff && <AnsweringView state={answering} {...{ shown, gps }} finish={stop.finish} />}
      </main>
    </div>
  )
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
