import styles from './Logo.module.css'

interface Props {
  /** Shows only the mark below 600 px: for bars with two links. */
  short?: boolean
}

/**
 * Mark and name as outlines, so no font is needed. The containing element provides the accessible name.
 * The outline of the name is in index.html, so that it is not parsed as JavaScript.
 */
export function Logo({ short = false }: Props) {
  return (
    <>
      <svg
        className={styles.lockup}
        data-short={short || undefined}
        aria-hidden
        viewBox="0 0 1803.4 367.7"
      >
        <g transform="translate(-117.18 -76.77) scale(1.0102)">
          <MarkPaths />
        </g>
        <use href="#pitboard-name" />
      </svg>
      {short && (
        <svg className={styles.mark} aria-hidden viewBox="104 64 310 384">
          <MarkPaths />
        </svg>
      )}
    </>
  )
}

function MarkPaths() {
  return (
    <>
      <path fill="currentColor" fillRule="evenodd" d={board} />
      <path className={styles.plate} d="M174 126h176v66H174z" />
    </>
  )
}

const board =
  'M122 76h244a36 36 0 0 1 36 36v176a36 36 0 0 1-36 36H174v106a6 6 0 0 1-6 6h-46a6 6 0 0 1-6-6V82a6 6 0 0 1 6-6z M174 210h176v66H174z'
