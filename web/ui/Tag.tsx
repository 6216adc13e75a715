import styles from './Tag.module.css'

/** A short tag next to a name, such as "Invited". */
export function Tag({ children }: { children: string }) {
  return <span className={styles.tag}>{children}</span>
}
