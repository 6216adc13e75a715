import qrcode from 'qrcode-generator'
import { useMemo } from 'react'
import styles from './QrCode.module.css'

/** Blank modules around the code, which readers need. */
const quiet = 4

/** A QR code: dark on white in both themes, since some readers do not accept the inverse. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => drawn(text), [text])
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not a picture file
      role="img"
      aria-label={label}
    >
      <rect className={styles.paper} width={size} height={size} />
      <path className={styles.ink} d={path} />
    </svg>
  )
}

function drawn(text: string) {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  let path = ''
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++)
      if (code.isDark(row, column)) path += `M${column + quiet} ${row + quiet}h1v1h-1z`
  return { path, size: count + 2 * quiet }
}
