import {
  type ComponentProps,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
} from 'react'
import { useParams, useSearchParams } from 'react-router'
import { refusalText } from '#web/api/refusalText.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useOthers } from '#web/api/useOthers.ts'
import { afterPaint } from '#web/device/painted.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useAnswers } from '#web/live/useAnswers.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { driverName, plateName } from '#web/race/driverName.ts'
import { messageText } from '#web/text/message.ts'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { threeLetters } from '#web/ui/threeLetters.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { LiveHeader, type View } from './LiveHeader.tsx'
import { MessageBoard } from './MessageBoard.tsx'
import { MessagePad } from './MessagePad.tsx'
import styles from './MessageScreen.module.css'
import { More } from './More.tsx'
import { type Coloured, toneOf } from './tone.ts'
import { useAsking } from './useAsking.ts'
import { useContact } from './useContact.ts'
import { useSendMessage } from './useSendMessage.ts'
import { useWatchedSession } from './useWatchedSession.ts'

// Loaded on demand: drivers change only a few times in a race.
const ChangeKey = lazy(async () => ({
  default: (await import('./ChangeKey.tsx').catch(reloadWhenReachable)).ChangeKey,
}))

/** Props of the driver's map. */
export interface MapProps {
  teamId: string
  sessionId: string
  /** Tone of the current message; null without one. */
  tone: string | null
  online: boolean
  /** The series of the session forbids it. */
  linkOff: boolean
  /** Three letters of the driver's name. */
  label: string
}

interface Props {
  renderMap: (props: MapProps) => ReactNode
  /** The figures of the laps on the board. */
  renderLaps: (props: { teamId: string; sessionId: string }) => ReactNode
  /** The clock of the race on the board. */
  renderRace: (props: { sessionId: string; mayChange: boolean }) => ReactNode
}

/** The team's screen of a session: the board and the pad, or the map in place of the board. */
export function MessageScreen({ renderMap, renderLaps, renderRace }: Props) {
  const { teamId = '', sessionId = '' } = useParams()
  const { session, message, ended, failure } = useWatchedSession(sessionId)
  const contact = useContact(sessionId, session)
  const sending = useSendMessage(sessionId, message)
  const answers = useAnswers(sessionId)
  const asking = useAsking()
  const viewer = useIsViewer(teamId)
  const others = useOthers(
    teamId,
    useLiveSession(sessionId, state => state.watching),
  )
  useTestFlash(sessionId, !viewer)
  const [view, setView] = useView()
  const driver = session && (driverName(session) || messageText.driverWithoutName)
  usePageTitle(driver ?? messageText.page)

  const current = sending.pending ?? message
  const linkOff = session !== null && !session.dataLink && !ended
  const online = contact.online && !ended && !linkOff
  const disabled = !session || ended || linkOff
  const press = ({ type, colour }: Coloured, ask: boolean) => {
    asking.turnOff()
    sending.press(type, { ask, colour })
  }
  const header = {
    backTo: `/teams/${teamId}`,
    logAt: `/teams/${teamId}/${sessionId}/log`,
    driver,
    session: session?.name ?? null,
    others,
    view,
    onView: setView,
  }
  if (failure) {
    // The same header element in the same position keeps its focus.
    return (
      <div>
        <LiveHeader {...header} driver={messageText.page} />
        <main className={styles.failed}>
          <LoadFailed
            title={messageText.loadFailed}
            message={refusalText(failure.reason)}
            retryLabel={messageText.tryAgain}
            retrying={failure.retrying}
            onRetry={failure.retry}
          />
        </main>
      </div>
    )
  }
  return (
    <div className={styles.screen}>
      <LiveHeader
        {...header}
        online={session && online}
        change={
          session &&
          !viewer &&
          !ended && (
            <Suspense>
              <ChangeKey session={session} />
            </Suspense>
          )
        }
      />
      <main className={styles.main} data-view={view}>
        {view === 'map' &&
          renderMap({
            teamId,
            sessionId,
            tone: current && toneOf(current),
            online,
            linkOff,
            label: session ? threeLetters(plateName(session)) : '',
          })}
        <MessageBoard
          sessionId={sessionId}
          teamPath={header.backTo}
          message={message}
          ended={ended}
          linkOff={linkOff}
          contact={contact}
          phone={session?.phone ?? null}
          sending={sending}
          maySend={!viewer}
          compact={view === 'map'}
          laps={renderLaps({ teamId, sessionId })}
          answers={answers}
          asking={viewer || !session || ended || linkOff ? null : asking}
          driver={driver ?? ''}
          race={renderRace({ sessionId, mayChange: !viewer })}
        />
      </main>
      {viewer ? (
        <p className={styles.viewer}>{messageText.viewOnly}</p>
      ) : (
        <Keys
          teamId={teamId}
          sessionId={sessionId}
          current={current}
          disabled={disabled}
          asking={asking}
          onPress={press}
        />
      )}
    </div>
  )
}

/** The pad, and the key for all other messages. */
function Keys(props: ComponentProps<typeof More>) {
  const { current, disabled, asking, onPress } = props
  return (
    <>
      <MessagePad
        current={current?.type ?? null}
        disabled={disabled}
        asks={asking.isOn}
        onPress={(type, ask) => onPress({ type }, ask)}
      />
      <More {...props} />
    </>
  )
}

/** Shows the driver's test flash and confirms it to the phone, unless nobody here could send a message. */
function useTestFlash(sessionId: string, confirms: boolean) {
  const testedAt = useLiveSession(sessionId, state => state.testedAt)
  const channel = useChannel()
  const toasts = useToasts()
  const show = useEffectEvent(() => {
    toasts.notice(messageText.test, messageText.testText)
    return afterPaint(() => {
      if (confirms) channel.testSeen(sessionId)
    })
  })
  useEffect(() => {
    return testedAt === null ? undefined : show()
  }, [testedAt])
}

/** The view is in the URL, so that a reload or a shared link shows the same. */
function useView(): [View, (view: View) => void] {
  const [search, setSearch] = useSearchParams()
  const view = search.get('view') === 'map' ? 'map' : 'message'
  return [view, next => setSearch(next === 'map' ? { view: 'map' } : {}, { replace: true })]
}
