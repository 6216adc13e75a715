import { Pause, Play } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { LoggedMessage } from '#contract/messages.ts'
import type { ShownLap } from '#web/laps/shownLap.ts'
import type { LinkGap } from '#web/race/linkGaps.ts'
import { replayText } from '#web/text/replay.ts'
import { counterText } from '#web/ui/ages.ts'
import { Button } from '#web/ui/Button.tsx'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './Controls.module.css'
import { lapAt } from './lapTimes.ts'
import { localTime } from './localTime.ts'
import { type Player, type PlayerState, speeds } from './player.ts'
import { Scrubber } from './Scrubber.tsx'

interface Props {
  player: Player
  state: PlayerState
  laps: readonly ShownLap[]
  log: readonly LoggedMessage[]
  /** The times in which the data link was off. */
  gaps: readonly LinkGap[]
  /** End of the session so far. */
  last: number
}

/** Play, speed, the slider and the time. */
export function Controls({ player, state, laps, log, gaps, last }: Props) {
  const { isPlaying, speed } = state
  const next = speeds[(speeds.findIndex(each => each === speed) + 1) % speeds.length] ?? 1
  return (
    <div className={styles.controls}>
      <Button
        narrow
        aria-label={isPlaying ? replayText.pause : replayText.play}
        onClick={() => player.toggle()}
      >
        {isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
      </Button>
      <Button
        variant="quiet"
        narrow
        aria-label={replayText.timesLabel(wholeNumber(speed))}
        onClick={() => player.setSpeed(next)}
      >
        {replayText.times(wholeNumber(speed))}
      </Button>
      <Scrubber {...{ player, state, laps, log, gaps, last }} />
      <TimeOfDay player={player} laps={laps} />
    </div>
  )
}

/** The time of day, and the lap. Written outside React, because it changes up to 60 times a second. */
function TimeOfDay({ player, laps }: { player: Player; laps: readonly ShownLap[] }) {
  const time = useRef<HTMLElement>(null)
  const lap = useRef<HTMLElement>(null)
  useEffect(
    () =>
      player.onFrame(at => {
        write(time.current, localTime(at))
        const current = lapAt(laps, at)
        const into = current && counterText(at - current.startedAt)
        write(
          lap.current,
          current && current.number > 0 && into !== null
            ? replayText.intoLap(wholeNumber(current.number), into)
            : '',
        )
      }),
    [player, laps],
  )
  return (
    // Screen readers read the text of the slider instead.
    <p className={styles.time} aria-hidden data-openreplay-hidden="">
      <b ref={time} />
      <small ref={lap} />
    </p>
  )
}

function write(element: HTMLElement | null, text: string) {
  if (element && element.textContent !== text) element.textContent = text
}
