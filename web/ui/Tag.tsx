import styles from './Tag.module.css'

/** A short tag next to a name, such as "Invited"; an urgent one is filled. */
export function Tag({ urgent = false, children }: { urgent?: boolean; children: string }) {
  return (
    <span className={styles.tag} data-urgent={urgent || undefined}>
      {children}
    </span>
  )
}
