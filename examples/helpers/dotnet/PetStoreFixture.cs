using System;
using System.Diagnostics;

/// <summary>
/// Starts a private Pet Store: with xUnit, <c>class OrderTests(PetStoreFixture store) : IClassFixture&lt;PetStoreFixture&gt;</c>.
/// Requires petstore on the path, or its location in the environment variable PETSTORE, and sh.
/// Not tested: there is no .NET where the other helpers are tested.
/// </summary>
public sealed class PetStoreFixture : IDisposable
{
    private readonly Process process;

    public string Url { get; }
    public string V2Url { get; }
    public string Key { get; }

    public PetStoreFixture()
    {
        var program = Environment.GetEnvironmentVariable("PETSTORE") ?? "petstore";
        // `petstore run` stops the service and deletes its data when this command ends: at the end of its input, even after a crash of the tests.
        var start = new ProcessStartInfo(program) { RedirectStandardInput = true, RedirectStandardOutput = true };
        foreach (var argument in new[] { "run", "--", "sh", "-c", "echo \"$PETSTORE_URL $PETSTORE_V2_URL $PETSTORE_KEY\"; cat" })
            start.ArgumentList.Add(argument);
        process = Process.Start(start) ?? throw new InvalidOperationException($"{program} could not be started");
        var values = process.StandardOutput.ReadLine()?.Split(' ')
            ?? throw new InvalidOperationException($"{program} did not start");
        (Url, V2Url, Key) = (values[0], values[1], values[2]);
    }

    public void Dispose()
    {
        process.StandardInput.Close();
        process.WaitForExit();
        process.Dispose();
    }
}
