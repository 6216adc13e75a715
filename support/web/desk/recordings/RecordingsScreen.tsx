import { type ChangeEvent, useRef, useState } from 'react'
import { deskText } from '#support/web/text/desk.ts'
import { Button } from '#web/ui/Button.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import { disableLinks } from '../page/disableLinks.ts'
import { type PageEvent, recordedEvents } from '../page/pageEvents.ts'
import styles from './Player.module.css'
import { Player } from './Player.tsx'

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
