import type { OutputOf } from '#contract/api.ts'
import type { Person } from '#contract/users.ts'
import { deskText } from '#support/web/text/desk.ts'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { nameOf, plateOf } from '../deskNames.ts'
import styles from './ResultRows.module.css'
import { durationText, type Result, resultsOf } from './results.ts'

interface Props {
  test: OutputOf<'support.getTest'>
  person: Person
}

/** Progress of one person: the whole test, then each task. */
export function ResultRows({ test, person }: Props) {
  const id = `person-${person.id}`
  return (
    <section className={styles.person} aria-labelledby={id}>
      <h3 id={id} className={typography.lead}>
        {nameOf(person)}
      </h3>
      <Rows labelledBy={id}>
        {resultsOf(test, person.id).map((result, index) => (
          <Row
            // oxlint-disable-next-line react/no-array-index-key -- tasks never change their order
            key={index}
            plate={
              <ThreeLetterPlate name={index === 0 ? plateOf(person) : wholeNumber(index)} quiet />
            }
            title={result.title}
            detail={<Outcome {...result} />}
            figures={result.durationMs !== null && durationText(result.durationMs)}
          />
        ))}
      </Rows>
    </section>
  )
}

function Outcome({ status, answer }: Result) {
  return (
    <span className={styles.outcome}>
      {deskText[status]}
      {answer !== null && answer !== '' && ` · ${deskText.answered(answer)}`}
    </span>
  )
}
