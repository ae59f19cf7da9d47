/**
 * Of the thread that runs Holdpoint. Its young objects get little room: by default it may keep 48 MB of them, half of what a
 * hundred thousand runs take. Nothing that lives long is bounded by it.
 */
export const WORKER_LIMITS = { maxYoungGenerationSizeMb: 6 };
