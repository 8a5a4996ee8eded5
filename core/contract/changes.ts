/** Columns to write; what is missing or undefined stays as it is. */
export type Changes<Row> = { [Column in keyof Row]?: Row[Column] | undefined }
