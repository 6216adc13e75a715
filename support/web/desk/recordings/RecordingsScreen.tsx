import { Pause, Play } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { deskText } from '#support/web/text/desk.ts'
import { Button } from '#web/ui/Button.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import { disableLinks } from '../page/disableLinks.ts'
import { type PageEvent, recordedEvents } from '../page/pageEvents.ts'
import type { Playback, Viewport } from '../page/replay.ts'
import { Stage } from '../page/Stage.tsx'
import styles from './Player.module.css'

/** Plays saved recordings, which are files of the agent. */
export function RecordingsScreen() {
  const input = useRef<HTMLInputElement>(null)
  const [events, setEvents] = useState<readonly PageEvent[] | null>(null)
  const [failed, setFailed] = useState(false)

  async function pick(event: ChangeEvent<HTMLInputElement>) {
    const { target } = event
    const [file] = target.files ?? []
    if (!file) return
    try {
      // Like a live page, the recording comes from a browser that may lie.
      setEvents(disableLinks(await recordedEvents(file)))
      setFailed(false)
    } catch {
      setEvents(null)
      setFailed(true)
    }
    // Otherwise selecting the same file again would not fire a change event.
    target.value = ''
  }
  return (
    <SubPage
      page={deskText.recordingsTitle}
      sub={deskText.recordingsSub}
      backTo="/support"
      back={deskText.back}
      wide
    >
      <Stack>
        <input
          ref={input}
          type="file"
          hidden
          accept=".json"
          aria-label={deskText.openRecording}
          onChange={event => void pick(event)}
        />
        <Button variant="quiet" onClick={() => input.current?.click()}>
          {deskText.openRecording}
        </Button>
        {failed && (
          <p role="alert" className={styles.failed}>
            {deskText.notRecording}
          </p>
        )}
        {events && <Player key={events[0]?.timestamp} events={events} />}
      </Stack>
    </SubPage>
  )
}

/** How often the position is read while playing. */
const tickMs = 250

/** Plays one recording, in the document where none of its scripts can run. */
function Player({ events }: { events: readonly PageEvent[] }) {
  const [root, setRoot] = useState<HTMLElement | null>(null)
  const [viewport, setViewport] = useState<Viewport | null>(null)
  const [playing, setPlaying] = useState(false)
  const [positionMs, setPositionMs] = useState(0)
  const [durationMs, setDurationMs] = useState(0)
  const playback = useRef<Playback | null>(null)
  useEffect(() => {
    if (!root) return
    const place = root
    let unmounted = false
    void import('../page/replay.ts').then(({ playInto }) => {
      if (unmounted) return
      playback.current = playInto(place, {
        events,
        resized: setViewport,
        finished: () => {
          setPlaying(false)
          setPositionMs(playback.current?.durationMs ?? 0)
        },
      })
      setDurationMs(playback.current.durationMs)
    })
    return () => {
      unmounted = true
      playback.current?.stop()
      playback.current = null
    }
  }, [root, events])
  useEffect(() => {
    if (!playing) return
    const timer = setInterval(() => setPositionMs(playback.current?.positionMs() ?? 0), tickMs)
    return () => clearInterval(timer)
  }, [playing])

  function toggle() {
    if (playing) playback.current?.pause()
    // At the end it starts again.
    else playback.current?.play(positionMs < durationMs ? positionMs : 0)
    setPlaying(!playing)
  }
  function seek(toMs: number) {
    setPositionMs(toMs)
    if (playing) playback.current?.play(toMs)
    else playback.current?.pause(toMs)
  }
  const Icon = playing ? Pause : Play
  return (
    <div className={styles.player}>
      <div className={styles.controls}>
        <Button narrow disabled={!viewport} onClick={toggle}>
          <Icon aria-hidden />
          {playing ? deskText.pause : deskText.play}
        </Button>
        <input
          type="range"
          className={styles.position}
          aria-label={deskText.position}
          aria-valuetext={timeText(positionMs)}
          min={0}
          max={Math.max(1, durationMs)}
          value={Math.min(positionMs, durationMs)}
          onChange={event => seek(Number(event.target.value))}
        />
        <span className={styles.time}>
          {timeText(positionMs)} / {timeText(durationMs)}
        </span>
      </div>
      <Stage title={deskText.player} viewport={viewport} onRoot={setRoot} />
    </div>
  )
}

function timeText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return deskText.time(String(Math.floor(seconds / 60)), String(seconds % 60).padStart(2, '0'))
}
