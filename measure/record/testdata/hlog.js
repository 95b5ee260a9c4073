// Reads a histogram log with hdr-histogram-js, merges its intervals and prints what
// they hold as JSON. NODE_PATH names the folder that the library is installed in.
const fs = require("fs");
const hdr = require("hdr-histogram-js");

const reader = new hdr.HistogramLogReader(fs.readFileSync(process.argv[2], "utf8"));
const all = hdr.build({ lowestDiscernibleValue: 1, highestTrackableValue: 3.6e12, numberOfSignificantValueDigits: 3, bitBucketSize: 64 });
let intervals = 0;
for (let h = reader.nextIntervalHistogram(); h; h = reader.nextIntervalHistogram()) {
  all.add(h);
  intervals++;
}
console.log(JSON.stringify({
  intervals,
  count: all.totalCount,
  p50: all.getValueAtPercentile(50),
  p99: all.getValueAtPercentile(99),
  max: all.maxValue,
}));
