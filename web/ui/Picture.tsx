import { useState } from 'react'
import styles from './Picture.module.css'

/** Covers its container once loaded. If loading fails, the content below stays visible. */
export function Picture({ src }: { src: string }) {
  const [isLoaded, setLoaded] = useState(false)
  return (
    <img
      className={styles.picture}
      data-loaded={isLoaded || undefined}
      src={src}
      alt=""
      draggable={false}
      onLoad={() => setLoaded(true)}
      onError={() => setLoaded(false)}
    />
  )
}
