import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { isAskable } from '#contract/shared/messageTypes.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useOthers } from '#web/api/useOthers.ts'
import { afterPaint } from '#web/device/painted.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useAnswers } from '#web/live/useAnswers.ts'
import { useLost } from '#web/live/useLost.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { carPlate, driverName, plateName } from '#web/race/driverName.ts'
import { phoneLabel } from '#web/race/phoneLabel.ts'
import { RaceClock } from '#web/race/RaceClock.tsx'
import { sessionInCar } from '#web/race/shownCarRace.ts'
import { useCarRace } from '#web/race/useCarRace.ts'
import { useLiveSessions } from '#web/race/useLiveSessions.ts'
import { messageText } from '#web/text/message.ts'
import { type Coloured, toneOf } from '#web/ui/board/tone.ts'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { useKeys } from '#web/ui/useKeys.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { ChangeKey } from './ChangeKey.tsx'
import { noAnswers } from './carAnswers.ts'
import { LiveHeader, type View } from './LiveHeader.tsx'
import { LiveNav } from './LiveNav.tsx'
import { areKeysOn, gotItLetter } from './letters.ts'
import { MessageBoard } from './MessageBoard.tsx'
import { MessagePad } from './MessagePad.tsx'
import styles from './MessageScreen.module.css'
import { More } from './More.tsx'
import { OtherProblems } from './OtherProblems.tsx'
import { TeamMap } from './TeamMap.tsx'
import { useAsking } from './useAsking.ts'
import { type Contact, useContact } from './useContact.ts'
import { pressGotIt } from './useGotIt.ts'
import { useLetters } from './useLetters.ts'
import { useLitMessage } from './useLitMessage.ts'
import { useSendMessage } from './useSendMessage.ts'
import { useWatchedSession, type WatchedSession } from './useWatchedSession.ts'

/**
 * The team's screen of a session: the board and the pad, or the map instead of the board. While another phone is in the
 * car, it shows the session of that phone.
 */
export function MessageScreen() {
  const { teamId = '', sessionId: openedId = '' } = useParams()
  const { sessionId, phones } = useAddressed(openedId)
  const watched = useWatchedSession(sessionId)
  const contact = useContact(sessionId, watched)
  const viewer = useIsViewer(teamId)
  const watching = useLiveSession(sessionId, state => state.watching)
  const others = useOthers(teamId, watching)
  const [view, setView] = useView()
  const lost = useLost()
  useLiveSessions(teamId)
  useTestFlash(openedId, !viewer)
  const { session, failure } = watched
  const driver = session && (driverName(session) || messageText.driverWithoutName)
  usePageTitle(driver ?? messageText.page)
  return (
    <div className={failure ? undefined : styles.screen}>
      <LiveHeader
        backTo={`/teams/${teamId}`}
        car={session?.car?.number ?? null}
        lastName={session ? plateName(session) : ''}
        driver={failure ? messageText.page : driver}
        session={session && (phones ?? session.name)}
        others={others}
        view={view}
        onView={setView}
        online={failure ? undefined : lost ? null : session && contact.online}
      />
      {failure ? (
        <Failed teamId={teamId} {...failure} />
      ) : (
        <BoardAndKeys {...{ teamId, sessionId, watched, contact, view, viewer }} />
      )}
    </div>
  )
}

/** Returns the session that messages are sent to, and the label of its phones if it is not the opened session. */
function useAddressed(openedId: string): { sessionId: string; phones: string | null } {
  const { race } = useCarRace(openedId)
  const inCar = race && sessionInCar(race)
  if (!race || !inCar) return { sessionId: openedId, phones: null }
  const reached = [inCar, ...race.unsure]
  const isOwn = reached.every(id => id === openedId)
  const labels = reached.map(id => phoneLabel(race.phones, id))
  return { sessionId: inCar, phones: isOwn ? null : messageText.on(labels) }
}

interface BoardProps {
  teamId: string
  sessionId: string
  watched: WatchedSession
  contact: Contact
  view: View
  viewer: boolean
}

/** The board or the map, and the keys that send. */
function BoardAndKeys(props: BoardProps) {
  const { teamId, sessionId, watched, contact, view, viewer } = props
  const { session, message, ended, linkOff } = watched
  const sending = useSendMessage(sessionId, message)
  const asking = useAsking()
  const { race } = useCarRace(sessionId)
  const [answers = noAnswers] = useAnswers([sessionId])
  const current = useLitMessage(sessionId, message, answers, race)
  const disabled = !session || ended || linkOff
  const path = `/teams/${teamId}/${sessionId}`
  const car = session?.car ? messageText.car + session.car.number : undefined
  const press = ({ type, colour }: Coloured, ask: boolean) => {
    asking.turnOff()
    sending.press(type, { ask, colour })
  }
  return (
    <>
      <main className={styles.main} data-view={view}>
        {session && <OtherProblems teamId={teamId} session={session} />}
        {view === 'map' && (
          <div className={styles.map}>
            <RaceClock sessionId={sessionId} mayChange={!viewer} />
            <TeamMap
              teamId={teamId}
              sessionId={sessionId}
              tone={current && toneOf(current)}
              online={contact.online}
              linkOff={linkOff}
              label={session ? carPlate(session) : ''}
            />
          </div>
        )}
        <MessageBoard
          {...{ teamId, sessionId, watched, contact, sending }}
          asking={viewer || disabled ? null : asking}
          maySend={!viewer}
          compact={view === 'map'}
        />
      </main>
      {viewer ? (
        <>
          <p className={styles.viewer}>{messageText.viewOnly}</p>
          <LiveNav path={path} />
        </>
      ) : (
        <Keys {...{ teamId, sessionId, car, current, disabled, asking }} onPress={press}>
          {session && !ended && !session.practice && <ChangeKey session={session} />}
        </Keys>
      )}
    </>
  )
}

interface KeysProps extends Omit<ComponentProps<typeof More>, 'isOpen' | 'onOpen'> {
  /** The driver change. */
  children: ReactNode
}

/** The pad, the links to the other pages of the session, and the key for all other messages. */
function Keys({ children, ...props }: KeysProps) {
  const { current, disabled, asking, onPress } = props
  const [isMoreOpen, setMoreOpen] = useState(false)
  const letters = useLetters({
    target: props.sessionId,
    disabled,
    onSend: (type, ask) => onPress({ type }, ask || (asking.isOn && isAskable(type))),
    onMore: () => setMoreOpen(true),
  })
  useKeys(
    ({ key, shiftKey }) =>
      key.toUpperCase() === gotItLetter && !shiftKey ? pressGotIt() : letters.press(key, shiftKey),
    { isOn: areKeysOn() },
  )
  return (
    <>
      <MessagePad
        current={current?.type ?? null}
        disabled={disabled}
        asks={asking.isOn}
        isArmed={letters.isArmed}
        onPress={(type, ask) => onPress({ type }, ask)}
      />
      <LiveNav path={`/teams/${props.teamId}/${props.sessionId}`}>
        {children}
        <More {...props} isOpen={isMoreOpen} onOpen={setMoreOpen} />
      </LiveNav>
    </>
  )
}

type FailedProps = NonNullable<WatchedSession['failure']> & { teamId: string }

function Failed({ teamId, reason, retry, retrying }: FailedProps) {
  return (
    <main className={styles.failed}>
      {reason instanceof CallRefused && reason.isInaccessible ? (
        <>
          <p role="alert" className={typography.sub}>
            {messageText.noSession}
          </p>
          <LinkButton to={`/teams/${teamId}`}>{messageText.backToTeam}</LinkButton>
        </>
      ) : (
        <LoadFailed
          title={messageText.loadFailed}
          message={refusalText(reason)}
          retrying={retrying}
          onRetry={retry}
        />
      )}
    </main>
  )
}

/** Shows the driver's test flash and confirms it to the phone, unless nobody here could send a message. */
function useTestFlash(sessionId: string, confirms: boolean) {
  const testedAt = useLiveSession(sessionId, state => state.testedAt)
  const channel = useChannel()
  const toasts = useToasts()
  const show = useEffectEvent(() => {
    toasts.success(messageText.test, messageText.testText)
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
