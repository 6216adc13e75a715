import { deskText } from '#support/web/text/desk.ts'
import { Button } from '#web/ui/Button.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './VisitNotice.module.css'
import type { VisitState } from './visitConnection.ts'

interface Props {
  connection: VisitState['connection']
  there: boolean
  hidden: boolean
  onAgain: () => void
}

/** Explains why no requests can be made at the moment, if so. */
export function VisitNotice({ connection, there, hidden, onAgain }: Props) {
  if (connection === 'lost') {
    return (
      <div role="alert" className={styles.notice} data-kind="error">
        <p className={typography.lead}>{deskText.lost}</p>
        <p>{deskText.lostText}</p>
        <Button variant="quiet" narrow onClick={onAgain}>
          {deskText.connectAgain}
        </Button>
      </div>
    )
  }
  const words = wordsFor({ connection, there, hidden })
  return (
    <output className={styles.notice} hidden={words === null}>
      {words && <span className={typography.lead}>{words[0]}</span>}
      {words?.[1] !== undefined && <span>{words[1]}</span>}
    </output>
  )
}

function wordsFor({ connection, there, hidden }: Omit<Props, 'onAgain'>): [string, string?] | null {
  if (connection === 'away' || !there) return [deskText.gone, deskText.goneText]
  if (connection === 'opening') return [deskText.opening]
  return hidden ? [deskText.hiddenText] : null
}
