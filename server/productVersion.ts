declare const PRODUCT_VERSION: string | undefined

/** The version of this build, which changes with every source; `source` when running from source. */
export const productVersion = typeof PRODUCT_VERSION === 'undefined' ? 'source' : PRODUCT_VERSION
