import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { Channel } from '#client/channel/channel.ts'
import type { PageSignals } from '#client/channel/pageSignals.ts'
import type { TextStore } from '#client/textStore.ts'
import type { Clock } from '#contract/shared/clock.ts'

const ChannelContext = createContext<Channel | null>(null)

interface LiveProviderProps {
  /** The signed-in user. Another user gets a new connection. */
  userId: string
  /** Called when the login has ended. */
  onSignedOut: () => void
  /** Reads and stores the server clock's offset from this device's clock, in milliseconds. */
  clockOffset: { read: () => number; store: (offsetMs: number) => void }
  clock: Clock
  store: TextStore
  tabStore: TextStore
  children: ReactNode
}

/** Provides one live connection to all components below it. */
export function LiveProvider(props: LiveProviderProps) {
  return <UserChannel key={props.userId} {...props} />
}

function UserChannel({
  userId,
  onSignedOut,
  clockOffset,
  clock,
  store,
  tabStore,
  children,
}: LiveProviderProps) {
  const signedOut = useEffectEvent(onSignedOut)
  const storeOffset = useEffectEvent(clockOffset.store)
  const [channel] = useState(
    () =>
      new Channel({
        ...liveConnection(),
        userId,
        store,
        tabStore,
        clock,
        random: Math.random,
        report: problem => reportError(new Error(problem)),
        clockOffsetMs: clockOffset.read(),
      }),
  )
  useEffect(() => {
    const undo = channel.onConnectionState(() => {
      const state = channel.connectionState
      if (state.status === 'open') storeOffset(channel.clock.offsetMs)
      if (state.status === 'closed' && state.reason === 'signed-out') signedOut()
    })
    channel.start()
    return () => {
      channel.stop()
      undo()
    }
  }, [channel])
  return <ChannelContext value={channel}>{children}</ChannelContext>
}

/** Returns what connects a channel of this page to the server. */
export function liveConnection() {
  return { url: liveUrl(), WebSocket, page: browserSignals }
}

function liveUrl(): string {
  const url = new URL('/live', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

/** The live channel. Must be used below a `LiveProvider`. */
export function useChannel(): Channel {
  const channel = useContext(ChannelContext)
  if (!channel) throw new Error('useChannel needs a LiveProvider above it.')
  return channel
}

/** The used part of the Network Information API, which Safari and Firefox do not have. */
interface NavigatorWithConnection {
  readonly connection?: EventTarget
}

const browserSignals: PageSignals = {
  isOnline: () => navigator.onLine,
  onOnline: listener => listen(window, 'online', listener),
  onOffline: listener => listen(window, 'offline', listener),
  onVisible: listener => {
    const whenVisible = () => {
      if (document.visibilityState === 'visible') listener()
    }
    const undoVisibility = listen(document, 'visibilitychange', whenVisible)
    // A page restored from the back/forward cache lost its socket while it was frozen.
    const undoShow = listen(window, 'pageshow', whenVisible)
    return () => {
      undoVisibility()
      undoShow()
    }
  },
  onNetwork: listener => {
    const { connection } = navigator as NavigatorWithConnection
    return connection ? listen(connection, 'change', listener) : () => undefined
  },
}

function listen(target: EventTarget, type: string, listener: () => void): () => void {
  target.addEventListener(type, listener)
  return () => target.removeEventListener(type, listener)
}
