import { z } from 'zod';
import { NumberText } from '../struct.js';

export const U32_MAX = 4_294_967_295n;
export const U64_MAX = 18_446_744_073_709_551_615n;

/** Whole numbers as Rust reads them: 1.0, 1e0, "1", -0 and negatives are refused (FORMATS J6). */
function whole(max: bigint) {
  return z.custom<NumberText>(
    (value) => value instanceof NumberText && /^(0|[1-9]\d{0,19})$/.test(value.text) && BigInt(value.text) <= max,
    { error: `must be a whole number from 0 to ${max}, written without fraction or exponent` },
  );
}

export const u32 = whole(U32_MAX).transform((value) => Number(value.text));
/** A bigint: beyond 2^53 a number would be another one. */
export const u64 = whole(U64_MAX).transform((value) => BigInt(value.text));
