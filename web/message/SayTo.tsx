import { useLiveSession } from '#web/live/useSession.ts'
import { driverName } from '#web/race/driverName.ts'
import { messageText } from '#web/text/message.ts'
import styles from './MoreSheet.module.css'
import { phoneNote } from './phoneNote.ts'
import { phoneNoteText } from './phoneNoteText.ts'
import { useContact } from './useContact.ts'

/** Shows a problem of the phone in the car, and the sentence for its driver. Renders nothing if there is no problem. */
export function SayTo({ sessionId }: { sessionId: string }) {
  const session = useLiveSession(sessionId, live => live.session)
  const watched = {
    session,
    ended: session?.status === 'Complete',
    linkOff: session?.dataLink === false,
  }
  const { online } = useContact(sessionId, watched)
  const note = phoneNote(session?.phone ?? null, online)
  if (!session || !note) return null
  const [firstName] = driverName(session).split(' ')
  return (
    <p className={styles.say}>
      <b>{phoneNoteText(note)}</b>
      {firstName ? messageText.sayTo(firstName) : messageText.sayToDriver}{' '}
      {messageText.say[note.what]}
    </p>
  )
}
