import type { ReactNode } from 'react'
import styles from './Questions.module.css'

interface Props {
  number: number
  title: string
  children: ReactNode
}

/** Returns the id of the heading of a question. */
export function questionId(number: number): string {
  return `question-${number}`
}

/** One of the three questions about a race. */
export function Question({ number, title, children }: Props) {
  const id = questionId(number)
  return (
    <section className={styles.question} aria-labelledby={id}>
      <h2>
        <i aria-hidden>{number}</i>
        <span id={id}>{title}</span>
      </h2>
      {children}
    </section>
  )
}
