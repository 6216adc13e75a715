import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { deskText } from '#support/web/text/desk.ts'
import { Button } from '#web/ui/Button.tsx'
import type { PageEvent } from '../page/pageEvents.ts'
import type { Playback, Viewport } from '../page/replay.ts'
import { Stage } from '../page/Stage.tsx'
import styles from './Player.module.css'

/** How often the position is read while playing. */
const tickMs = 250

/** Plays one recording, in the document where none of its scripts can run. */
export function Player({ events }: { events: readonly PageEvent[] }) {
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
